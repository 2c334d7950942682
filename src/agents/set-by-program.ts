import type { Mismatch } from "../errors/local.js";
import type { ToolCatalog } from "../index.js";
import type { Json } from "../shared/json.js";
import type { AuthRequired } from "./call-result.js";
import type { AgentTool, CallLimits, Execution } from "./tool.js";

/** The call for which the program sets an argument. */
export type BoundCall = Pick<Execution, "callId" | "tool" | "userId">;

/** The arguments of a tool that the program sets. */
type BoundValues<Args> = {
  readonly [Name in keyof Args]?: Args[Name] | ((call: BoundCall) => Args[Name] | Promise<Args[Name]>);
};

/**
 * Arguments that the program sets, by tool. With generated types, names and values are checked; a nested argument is
 * set by its path.
 */
export type BoundArguments = {
  readonly [Slug in keyof ToolCatalog]?: ToolCatalog[Slug] extends { arguments: infer Args }
    ? BoundValues<Args> & { readonly [path: `${string}.${string}`]: unknown }
    : never;
} & { readonly [tool: string]: Readonly<Record<string, BoundValue>> };

/** A JSON value, or a function of the call. */
type BoundValue = string | number | boolean | null | readonly unknown[] | Json | ((call: BoundCall) => unknown);

/** Ids of accounts by toolkit, or by toolkit and label. */
export type GivenAccounts = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The account of each call. */
export interface ToolAccounts {
  /** The tools, with an argument for the account if the model chooses it. */
  readonly tools: readonly AgentTool[];
  /** Whether the program has set the account of a toolkit. */
  isSet(toolkit: string): boolean;
  /**
   * Finds the account of a call, and the argument that named it; otherwise the accounts to choose from.
   *
   * @throws the error of the service, and {ConfigError} if the program has to set the account.
   */
  pick(
    tool: AgentTool,
    args: Json,
    limits: CallLimits,
  ): Promise<
    { readonly accountId?: string | undefined; readonly argument?: string } | Pick<AuthRequired, "accounts" | "choose">
  >;
  /** Forgets the account of a toolkit, because it can't be used. */
  lost(toolkit: string): void;
}

/** The tools without the arguments that the program sets. */
export interface BoundTools {
  readonly tools: readonly AgentTool[];
  /** A tool with all of its arguments. */
  full(tool: AgentTool): AgentTool;
  /** Sets the arguments, unless the model has set one. */
  fill(name: string, args: Json, call: Omit<BoundCall, "tool">): Promise<Json | readonly Mismatch[]>;
}
