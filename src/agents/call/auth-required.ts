import { SvcError } from "../../errors/base.js";
import * as option from "../../errors/option-rules.js";
import { NOT_ACTIVE, needOf, OF_OTHER_USER } from "../../shared/account-status.js";
import { escapeUnclear } from "../../shared/hidden-text.js";
import { field, isString, textOf } from "../../shared/json.js";
import type { AgentTool } from "../agent-tool.js";
import type { AuthRequired, CallResult, Ending, LinkOptions } from "../call-result.js";
import { ensure } from "../ensure.js";
import type { ToolsetContext } from "../toolset-context.js";
import { boundedText } from "./result-text.js";

/**
 * A call needs an account that the user has to connect or to choose. Nothing ran. Run the same calls again afterwards.
 */
export class AuthRequiredError extends SvcError implements AuthRequired {
  protected static override readonly brand: string = "AuthRequiredError";

  /** Why no account can be used. */
  declare readonly reason: AuthRequired["reason"];
  /**
   * The condition that `needsConnection` recognizes; `undefined` if one of several accounts must be chosen, or your
   * program has disabled the account.
   */
  declare readonly condition: "no_connected_account" | "auth_refresh_required" | undefined;
  /** The tool that was called. */
  declare readonly tool: AgentTool;
  /** Slug of the toolkit to connect. */
  declare readonly toolkit: string;
  /** The user who must connect; `undefined` in an agent session that was opened by its id alone. */
  declare readonly userId: string | undefined;
  /** Results of all calls of the turn, in order. Calls that ran don't run again. */
  declare readonly results: readonly CallResult[];
  /** The accounts to choose from, with the reason `account_required`; otherwise empty. */
  declare readonly accounts: AuthRequired["accounts"];
  /** Chooses one of `accounts` for the rest of the conversation. */
  declare readonly choose: AuthRequired["choose"];
  /** Creates a page on which the user connects the account, and returns its URL. */
  declare readonly linkUrl: AuthRequired["linkUrl"];

  constructor(required: AuthRequired, results: readonly CallResult[]) {
    const { tool, reason } = required;
    const isChoice = reason === "account_required";
    const next = isChoice
      ? "Pass the id of the account to choose()"
      : "Send the user to the URL that linkUrl() returns";
    super(`${tool.name}: ${needs(required)} Nothing ran. ${next}, then run the calls again.`);
    const condition = reason === "expired" ? "auth_refresh_required" : "no_connected_account";
    // A program can enable an account that one has disabled.
    const isOfUser = !isChoice && reason !== "inactive";
    Object.assign(this, required, { condition: isOfUser ? condition : undefined, results });
  }
}

/** Why a call failed, if that is the account. */
export function authReason(error: unknown): AuthRequired["reason"] | undefined {
  const condition = field(error, "condition");
  const need = needOf(condition, textOf(error, "message"));
  if (need) return need;
  if (field(error, "errorSlug") === OF_OTHER_USER) return "other_user";
  return condition === NOT_ACTIVE ? "inactive" : undefined;
}

const LINK_OPTIONS = {
  callbackUrl: option.STRING,
  authConfigId: option.STRING,
} as const satisfies option.Rules<LinkOptions>;

/** How a call ends that needs an account. */
export function needsAccount(
  tool: AgentTool,
  { link, userId }: Pick<ToolsetContext, "link" | "userId">,
  found: Pick<AuthRequired, "reason"> & Partial<Pick<AuthRequired, "accounts" | "choose">>,
): Ending {
  const { name, toolkit = "" } = tool;
  const choose = () => ensure(false, "choose needs an account of accounts, which is empty.");
  const linkUrl = async (options?: LinkOptions) => link(toolkit, option.checkAll("link", options, LINK_OPTIONS));
  const shared = { tool, toolkit, userId, linkUrl };
  const authRequired = { accounts: [], choose, ...found, ...shared };
  const next = found.accounts ? "which of them to use" : "to connect it";
  const text = `${name} did not run. ${needs(authRequired)} Ask the user ${next}, then call ${name} again.`;
  return { status: "not_run", text, authRequired };
}

/** Tells the program about missing accounts, and the model what the program returns. */
export async function reportRequired(
  results: CallResult[],
  { onAuthRequired, maxResultBytes }: Pick<ToolsetContext, "onAuthRequired" | "maxResultBytes">,
): Promise<CallResult[]> {
  const first = results.find(({ authRequired }) => authRequired)?.authRequired;
  if (first && onAuthRequired === "throw") throw new AuthRequiredError(first, results);
  const said = new Map<string | undefined, unknown>();
  const reported: CallResult[] = [];
  for (const result of results) {
    const { authRequired: required } = result;
    const key = required && required.toolkit + required.reason;
    if (required && typeof onAuthRequired === "function" && !said.has(key))
      said.set(key, await onAuthRequired(required));
    const text = said.get(key);
    reported.push(isString(text) ? { ...result, text: boundedText(text, maxResultBytes) } : result);
  }
  return reported;
}

function needs({ reason, toolkit, accounts }: AuthRequired): string {
  if (reason === "not_connected") return `The user has no connected ${toolkit} account.`;
  if (reason !== "account_required") return `The ${toolkit} account ${PROBLEMS[reason]}.`;
  const shown = accounts.map(({ label, isShared }) => {
    // Someone wrote it, and it may say anything.
    const text = escapeUnclear(JSON.stringify(label.slice(0, 64)));
    return isShared ? `${text} (shared by another user)` : text;
  });
  return `It isn't known which ${toolkit} account is meant: ${shown.join(", ")}.`;
}

const PROBLEMS = {
  unfinished: "isn't connected yet",
  failed: "couldn't be connected",
  expired: "has expired",
  revoked: "was revoked",
  inactive: "was disabled",
  other_user: "belongs to another user",
} as const;
