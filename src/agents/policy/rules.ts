import type { AgentTool, Execution } from "../agent-tool.js";

/** A call as rules see it. An `Execution` is one; in tests and recordings, the tool's name is enough. */
export interface PolicyCall {
  /** The tool. Missing fields count as absent, and a missing `kind` as `service`. */
  readonly tool: Pick<AgentTool, "name"> & Partial<Pick<AgentTool, "toolkit" | "tags" | "version" | "kind">>;
  /** Its arguments. @default {} */
  readonly arguments?: Execution["arguments"] | undefined;
  /** The user it runs for; `undefined` if unknown. */
  readonly userId?: string | undefined;
  /** The connected account it runs through; `undefined` if none was chosen. */
  readonly accountId?: string | undefined;
  /**
   * Labels of the conversation before this call: see {@link label}. `undefined` if unknown. A toolset reads them only
   * if a rule with `after` may match.
   */
  readonly labels?: readonly string[] | undefined;
}

/**
 * A condition on one argument, as data. Every field of a condition must match. A value of another type never matches:
 * `atLeast: 100` doesn't match the string `"100"`. An integer beyond 2^53 − 1 is a string of its digits in arguments:
 * `is` and `oneOf` compare the string, `atLeast` and `atMost` its number.
 */
export interface ArgumentCondition {
  /** Equal to this JSON value. */
  readonly is?: unknown;
  /** Equal to one of these JSON values. */
  readonly oneOf?: readonly unknown[] | undefined;
  /** A string that matches this pattern: `*` stands for any characters, case matters. */
  readonly like?: string | undefined;
  /** A number of at least this. */
  readonly atLeast?: number | undefined;
  /** A number of at most this. */
  readonly atMost?: number | undefined;
  /** Whether the argument is present, even as `null`. */
  readonly present?: boolean | undefined;
  /** An array whose items all match. An empty array matches. */
  readonly every?: ArgumentCondition | undefined;
  /** An array with at least one matching item. */
  readonly some?: ArgumentCondition | undefined;
  /** Negates a condition. Therefore `not` matches a missing argument and an argument of another type. */
  readonly not?: ArgumentCondition | undefined;
}

/**
 * Conditions by argument. Every argument must match its condition. `issue.title` is the title in the object `issue`, or
 * an argument named `issue.title`. If a call has both and only one matches, the rule matches unless it is an `allow`
 * rule.
 */
export type Conditions = Readonly<Record<string, ArgumentCondition>>;

/**
 * A pure function of a call. It must return a boolean: if it throws, or returns anything else, even a promise, the call
 * is denied.
 */
export type Predicate = (call: PolicyCall & { readonly arguments: Execution["arguments"] }) => boolean;

/**
 * The tools of a rule or a budget. Every field that you pass must match, with one of its values. Passing `undefined` is
 * an error, because the field would match every tool.
 */
export interface ToolMatch {
  /** Slugs, or patterns in which `*` stands for any characters: `GITHUB_GET_*`. Case matters. */
  readonly tools?: readonly string[];
  /** Slugs of toolkits, or patterns. Local tools have no toolkit. */
  readonly toolkits?: readonly string[];
  /** Tags or hints, exactly: `destructiveHint`. A pattern or a misspelled hint is an error. */
  readonly tags?: readonly string[];
}

/**
 * The calls of a rule, which match every field that you pass. An empty object matches every call.
 *
 * A fact can be unknown: the version of a session's tool, the user of a session that was opened by its id alone, the
 * account in a session, with `accounts: "newest"` or if the call has none, and the labels without a `conversationId`,
 * or if the store fails or has no record of the conversation. A field about an unknown fact matches in `deny`, `ask`
 * and `dryRun`, and doesn't match in `allow`.
 */
export interface RuleMatch extends ToolMatch {
  /** Versions, or patterns: `202510*`. */
  readonly versions?: readonly string[];
  /** Ids of users, or patterns. */
  readonly users?: readonly string[];
  /** Ids of connected accounts, or patterns. */
  readonly accounts?: readonly string[];
  /**
   * Labels, exactly. It matches once the conversation has one of them: a result with the label was given to the model,
   * or the program added the label. Every label needs a {@link label} rule. Calls of one `run` don't see each other's
   * results.
   */
  readonly after?: readonly string[];
  /** The call's arguments: conditions as data, or a function. */
  readonly when?: Conditions | Predicate;
  /**
   * The rule's name in events and explanations.
   * @default its place: `rules[2]`
   */
  readonly name?: string | undefined;
  /** The reason for the model and for the person who approves, in one sentence. */
  readonly reason?: string | undefined;
}

/**
 * Limits for calls. Pass at least one of `maxCalls`, `maxCallsPerTool`, `maxArgumentBytes` and `maxCost`. For
 * `SVC_MULTI_EXECUTE_TOOL`, the inner calls are counted. The outer call is counted only by a budget with its name in
 * `tools`.
 */
export interface Budget extends ToolMatch {
  /**
   * The id under which calls are counted, together with `windowMs` and the unit. If you change a limit, the count under
   * the id continues. Policies that share a store share the counts of equal ids. Unique in a policy.
   * @default its `name`, otherwise the policy's digest and the budget's place: then any change of the rules starts at 0
   */
  readonly id?: string | undefined;
  /** Maximum number of calls. */
  readonly maxCalls?: number;
  /** Maximum number of calls per tool. */
  readonly maxCallsPerTool?: number;
  /** Maximum size of all arguments, in bytes of JSON in UTF-8. Content of files isn't counted. */
  readonly maxArgumentBytes?: number;
  /** The highest sum of the costs of calls, in your unit, such as cents. Needs `costs`. */
  readonly maxCost?: number;
  /**
   * The cost of a call, by the name of its tool or a pattern: integers of at least 0. The highest matching cost counts.
   * A call without a matching cost is denied, so add `"*": 1` for the rest.
   */
  readonly costs?: Readonly<Record<string, number>> | undefined;
  /**
   * Length of the sliding window in milliseconds, at least 1,000. A call may count up to 5% longer, never shorter.
   * @default none: the budget never resets
   */
  readonly windowMs?: number | undefined;
  /**
   * Which calls share the budget. `user`: calls of the same user, or of the same session if the user is unknown.
   * `conversation`: calls of the same user and `conversationId`. `all`: every call that uses the store.
   * @default "user"
   */
  readonly per?: "user" | "conversation" | "all" | undefined;
  /**
   * The outcome of a call that exceeds a limit. `deny`: it doesn't run. `ask`: it needs an approval, which lets exactly
   * this call pass the limit. It is counted like any other call.
   * @default "deny"
   */
  readonly atLimit?: "deny" | "ask" | undefined;
  /**
   * The budget's name in events.
   * @default its place: `rules[2]`
   */
  readonly name?: string | undefined;
}

/** A label for results of tools. At least one of `tools`, `toolkits` and `tags`. */
export interface ResultLabel extends ToolMatch {
  /** The label's name: your own word, such as `untrusted`. */
  readonly as: string;
}

/**
 * One rule of a policy, as data: what {@link allow}, {@link ask}, {@link deny}, {@link dryRun}, {@link budget} and
 * {@link label} return.
 */
export type Rule =
  | { readonly allow: RuleMatch }
  | { readonly ask: RuleMatch }
  | { readonly deny: RuleMatch }
  | { readonly dryRun: RuleMatch }
  | { readonly budget: Budget }
  | { readonly label: ResultLabel };

/** Lets calls run that no stricter rule matches. */
export function allow(match: RuleMatch): Rule {
  return { allow: match };
}

/** Lets calls run only with an approval. */
export function ask(match: RuleMatch): Rule {
  return { ask: match };
}

/** Keeps calls from running, whatever other rules say. */
export function deny(match: RuleMatch): Rule {
  return { deny: match };
}

/** Returns the request that a call would send, and sends nothing, even if another rule allows the call. */
export function dryRun(match: RuleMatch): Rule {
  return { dryRun: match };
}

/** Limits how many calls run. Doesn't allow any by itself: add an `allow` rule. */
export function budget(limits: Budget): Rule {
  return { budget: limits };
}

/**
 * Labels the results of tools, for rules with `after`. Doesn't allow any call by itself: add an `allow` rule.
 *
 * ```ts
 * label("untrusted", { tools: ["GITHUB_GET_*", "GITHUB_LIST_*"] }),
 * ask({ tools: ["GITHUB_CREATE_*"], after: ["untrusted"], reason: "The model has read text that anyone can write." }),
 * ```
 *
 * A conversation, the toolset's `conversationId`, has a label after the model was given a result with it, even the
 * result of a call that failed or ran before. The label is recorded in `executions` before the result is returned, and
 * never removed. Results of tools that can run anything have every label.
 *
 * With `tags`, the service decides which tools are labeled, because it sets the hints.
 *
 * @param as - The label's name.
 */
export function label(as: string, match: ToolMatch): Rule {
  return { label: { ...match, as } };
}
