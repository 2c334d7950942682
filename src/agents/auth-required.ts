import { SvcError } from "../errors/base.js";
import { field } from "../shared/json.js";
import type { CallResult } from "./call-result.js";
import type { AgentTool } from "./tool.js";

/** Only your program can solve it: the user must connect an account. */
export interface AuthRequired {
  /** `not_connected`: the user has no usable account. `expired`: its credentials can't be refreshed anymore. */
  readonly reason: "not_connected" | "expired";
  /** The tool that was called. */
  readonly tool: AgentTool;
  /** Slug of the toolkit to connect. */
  readonly toolkit: string;
  /** The user who must connect; `undefined` in an agent session that was opened by its id alone. */
  readonly userId: string | undefined;
  /**
   * Creates a page on which the user connects the account, and returns its URL. Send the user's browser there.
   *
   * @throws {ConfigError} if the service has no enabled auth config for the toolkit.
   */
  link(options?: LinkOptions): Promise<string>;
}

/** Options of a connect page. */
export interface LinkOptions {
  /** Where the browser goes afterwards. */
  readonly callbackUrl?: string | undefined;
  /** The auth config to connect with. By default the toolkit's first enabled one. A session knows its own. */
  readonly authConfigId?: string | undefined;
}

/** A call needs an account that the user has to connect. Nothing ran. Run the same calls again afterwards. */
export class AuthRequiredError extends SvcError implements AuthRequired {
  protected static override readonly brand: string = "AuthRequiredError";

  /** Why the account is missing. */
  declare readonly reason: AuthRequired["reason"];
  /** The condition of the service's error, which `needsConnection` recognizes. */
  declare readonly condition: "no_connected_account" | "auth_refresh_required";
  /** The tool that was called. */
  declare readonly tool: AgentTool;
  /** Slug of the toolkit to connect. */
  declare readonly toolkit: string;
  /** The user who must connect; `undefined` in an agent session that was opened by its id alone. */
  declare readonly userId: string | undefined;
  /** Results of all calls of the turn, in order. Those that ran don't run again. */
  declare readonly results: readonly CallResult[];
  /** Creates a page on which the user connects the account, and returns its URL. */
  declare readonly link: AuthRequired["link"];

  constructor(required: AuthRequired, results: readonly CallResult[]) {
    super(
      `${required.tool.name}: ${needs(required)} Nothing ran. Send the user to the URL of link(), then run the calls again.`,
    );
    const condition = required.reason === "expired" ? "auth_refresh_required" : "no_connected_account";
    Object.assign(this, required, { condition, results });
  }
}

/** Why a call failed, if that is a missing or expired account. */
export function authReason(error: unknown): AuthRequired["reason"] | undefined {
  const condition = field(error, "condition");
  if (condition === "no_connected_account") return "not_connected";
  return condition === "auth_refresh_required" ? "expired" : undefined;
}

/** Tells the model about a missing account. */
export function needsAccount(required: AuthRequired): string {
  const { name } = required.tool;
  return `${name} did not run. ${needs(required)} Ask the user to connect it, then call ${name} again.`;
}

function needs({ reason, toolkit }: AuthRequired): string {
  return reason === "expired"
    ? `The user's ${toolkit} account has expired.`
    : `The user has no connected ${toolkit} account.`;
}
