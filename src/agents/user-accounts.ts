import type { ListConnectedAccountsQuery } from "../index.js";
import type { AgentTool } from "./agent-tool.js";
import type { AccountChoice } from "./call-result.js";
import { ensure } from "./ensure.js";
import { type CallLimits, limitsOf } from "./run-options.js";
import type { ToolClient, ToolRecord } from "./tools/read-tools.js";

/** As many accounts as a model can tell apart. */
const MOST_ACCOUNTS = 50;

/**
 * Whether a tool runs through an account of the user.
 *
 * @param records - The service's tools, which say whether they need an account.
 */
export function usesAccount({ kind, name }: AgentTool, records: ReadonlyMap<string, ToolRecord>): boolean {
  return kind === "service" && !records.get(name)?.no_auth;
}

/**
 * @param advice - What to do instead of listing the user's accounts.
 * @throws {ConfigError} for a comma: a list reads it as several users, and would show their accounts.
 */
export function ensureOneUser(userId: string, advice: string): void {
  ensure(!userId.includes(","), `accounts of a userId with a comma can't be listed: ${advice}.`);
}

/** @throws {ConfigError} if the client has no accounts to list. */
export function accountsIn({ connectedAccounts }: ToolClient): NonNullable<ToolClient["connectedAccounts"]> {
  ensure(connectedAccounts, 'without connectedAccounts of the client, pass accounts, or accounts: "newest".');
  return connectedAccounts;
}

/** Reads the accounts of a toolkit that a user can use. */
export async function readAccounts(
  client: ToolClient,
  userId: string,
  toolkit: string,
  limits: CallLimits,
): Promise<readonly AccountChoice[]> {
  const query: ListConnectedAccountsQuery = {
    user_ids: [userId],
    toolkit_slugs: [toolkit],
    statuses: ["ACTIVE"],
    account_type: "ALL",
    limit: MOST_ACCOUNTS,
  };
  const accounts: AccountChoice[] = [];
  // A page may be shorter than its limit although others follow.
  for await (const { id, alias, word_id, user_id } of accountsIn(client).list(query, limitsOf(limits))) {
    accounts.push({ id, label: alias || word_id || id, isShared: user_id !== userId });
    if (accounts.length === MOST_ACCOUNTS) break;
  }
  return accounts;
}
