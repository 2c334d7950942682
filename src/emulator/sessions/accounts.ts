import type { ToolRouterConfig } from "../../resources/tool-router/schema.js";
import { mayUse } from "../accounts/listing.js";
import type { StoredAccount } from "../accounts/stored-account.js";
import type { ToolkitDefinition } from "../definitions.js";
import type { State } from "../state.js";
import { isForSessions } from "./auth-configs.js";
import { invalidAccounts, noActiveConnection, refuseInSession } from "./refusals.js";

/** The accounts that a session may act through for a toolkit, newest first: the pinned ones, or the user's own. */
export function accountsOf(toolkit: string, config: ToolRouterConfig, state: State): StoredAccount[] {
  const pinned = config.connected_accounts?.[toolkit];
  const authConfigId = config.auth_configs?.[toolkit];
  return [...state.connectedAccounts.values()]
    .filter((account) => {
      if (account.toolkit !== toolkit || !isForSessions(account, state)) return false;
      if (pinned !== undefined) return pinned.includes(account.id) && mayUse(account, config.user_id);
      return account.userId === config.user_id && (authConfigId ?? account.authConfigId) === account.authConfigId;
    })
    .reverse();
}

/** The account that a call takes which names none: the newest active one, else the newest. */
export function defaultAccount(toolkit: string, config: ToolRouterConfig, state: State): StoredAccount | undefined {
  const accounts = accountsOf(toolkit, config, state);
  return accounts.find(({ status }) => status === "ACTIVE") ?? accounts[0];
}

/**
 * The account to act through; `undefined` for a toolkit that needs none.
 *
 * @throws {Refusal} 400 where the user has no active one, where it is another user's, or where it must be named.
 */
export function pickSessionAccount(
  toolkit: ToolkitDefinition,
  named: string | undefined,
  config: ToolRouterConfig,
  state: State,
): StoredAccount | undefined {
  if (toolkit.auth.length === 0) return undefined;
  const accounts = accountsOf(toolkit.slug, config, state);
  const active = accounts.filter(({ status }) => status === "ACTIVE");
  if (named !== undefined) {
    const meant = accounts.find(({ id, alias }) => id === named || alias === named);
    if (!meant) throw invalidAccounts([named]);
    if (meant.status !== "ACTIVE") throw noActiveConnection([toolkit.slug]);
    return meant;
  }
  if (active.length > 1 && needsSelection(config)) {
    throw refuseInSession(
      4310,
      "AccountSelectionRequired",
      `Toolkit '${toolkit.slug}' has ${active.length} accounts in this session: name one`,
      `Set account to one of ${active.map(({ id, alias }) => alias ?? id).join(", ")}`,
    );
  }
  if (!active[0]) throw noActiveConnection([toolkit.slug]);
  return active[0];
}

/** Whether a call must say which of several accounts it means. */
export function needsSelection({ multi_account: multi }: ToolRouterConfig): boolean {
  return multi?.enable === true && multi.require_explicit_selection === true;
}
