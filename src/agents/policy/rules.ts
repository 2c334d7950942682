import type { AgentTool, Execution } from "../tool.js";

/** A call as rules see it. An `Execution` is one; in tests and recordings, the tool's name is enough. */
export interface PolicyCall {
  /** The tool; of facts that are missing, rules assume none. A missing `kind` is `service`. */
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

/** A condition on one argument, as data. All of its fields must hold. A value of another type never matches. */
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
  /** Whether the argument is there, `null` included. */
  readonly present?: boolean | undefined;
  /** An array of which every item matches. An empty one does. */
  readonly every?: ArgumentCondition | undefined;
  /** An array of which an item matches. */
  readonly some?: ArgumentCondition | undefined;
  /** The condition doesn't match. It matches a missing argument and one of another type. */
  readonly not?: ArgumentCondition | undefined;
}

/**
 * Conditions by argument. All must match. `issue.title` is the title in the object `issue`, and an argument whose name
 * is `issue.title`. If there are both, and only one matches, the rule matches unless it allows.
 */
export type Conditions = Readonly<Record<string, ArgumentCondition>>;

/**
 * A pure function of a call. It must return a boolean: if it throws, or returns anything else, even a promise, the call
 * is denied.
 */
export type Predicate = (call: PolicyCall & { readonly arguments: Execution["arguments"] }) => boolean;

/**
 * The tools of a rule or a budget. Every given field must match; in each, one of the values. A field that is
 * given as `undefined` is an error: it would match every tool.
 */
export interface ToolMatch {
  /** Slugs, or patterns in which `*` stands for any characters: `GITHUB_GET_*`. Case matters. */
  readonly tools?: readonly string[];
  /** Slugs of toolkits, or patterns. Local tools have none. */
  readonly toolkits?: readonly string[];
  /** Tags or hints, exactly: `destructiveHint`. A pattern or a misspelled hint is an error. */
  readonly tags?: readonly string[];
}

/**
 * The calls of a rule. Every given field must match; an empty object matches every call.
 *
 * A fact can be unknown: the version of a session's tool, the user of a session that was opened by its id alone, the
 * account if none was chosen, and the labels without a `conversationId` or if the store fails. A field about it then
 * matches in `deny`, `ask` and `dryRun`, and doesn't match in `allow`.
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
  /** Why, for the model and for the person who approves. One sentence. */
  readonly reason?: string | undefined;
}

/**
 * Limits of what calls may use. At least one of `maxCalls`, `maxCallsPerTool` and `maxArgumentBytes`.
 * `SVC_MULTI_EXECUTE_TOOL` counts as the calls that it makes, and itself only in a budget that has its name in `tools`.
 */
export interface Budget extends ToolMatch {
  /**
   * The id under which it is counted, with `windowMs` and the unit. Another limit under the same id goes on with the
   * count, and policies that share a store share the counts of the same id. Ids differ in a policy.
   * @default its `name`; without one, the policy's digest and its place, so that any change of the rules starts at 0
   */
  readonly id?: string | undefined;
  /** Maximum number of calls. */
  readonly maxCalls?: number;
  /** How many calls of each tool. */
  readonly maxCallsPerTool?: number;
  /** How many bytes of arguments, as JSON in UTF-8. Content of files isn't counted. */
  readonly maxArgumentBytes?: number;
  /** The highest sum of the costs of calls, in your unit, such as cents. Needs `costs`. */
  readonly maxCost?: number;
  /**
   * The cost of a call, by the name of its tool or a pattern: integers of at least 0. Of several that match, the
   * highest counts. A call of the budget that none matches is denied: `"*": 1` gives all others a cost.
   */
  readonly costs?: Readonly<Record<string, number>> | undefined;
  /**
   * In any period of this length, in milliseconds, at least 1,000. A call may count up to a twentieth of it longer,
   * never shorter.
   * @default forever, as long as the store remembers
   */
  readonly windowMs?: number | undefined;
  /**
   * Who shares it: calls of the same `user` (of a session that was opened by its id alone, the same session), of the
   * same user and `conversationId` option, or `all` that share the store.
   * @default "user"
   */
  readonly per?: "user" | "conversation" | "all" | undefined;
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

/** Lets calls run only if they are approved. */
export function ask(match: RuleMatch): Rule {
  return { ask: match };
}

/** Keeps calls from running, whatever other rules say. */
export function deny(match: RuleMatch): Rule {
  return { deny: match };
}

/** Answers calls with what would be sent, and sends nothing, even if another rule allows or asks. */
export function dryRun(match: RuleMatch): Rule {
  return { dryRun: match };
}

/** Limits how many calls run. It allows none: that takes a rule. */
export function budget(limits: Budget): Rule {
  return { budget: limits };
}

/**
 * Labels the results of tools, for rules with `after`. It allows none: that takes a rule.
 *
 * ```ts
 * label("untrusted", { tools: ["GITHUB_GET_*", "GITHUB_LIST_*"] }),
 * ask({ tools: ["GITHUB_CREATE_*"], after: ["untrusted"], reason: "The model has read text that anyone can write." }),
 * ```
 *
 * A conversation, the toolset's `conversationId`, has a label once a result with it was given to the model, even one of
 * a call that failed or ran before. It keeps the label: the label is recorded in `executions` before the result is
 * returned. Results of tools that can run anything have every label.
 *
 * With `tags`, the service decides which results have the label: a tool without the hint has none.
 *
 * @param as - The label's name.
 */
export function label(as: string, match: ToolMatch): Rule {
  return { label: { ...match, as } };
}
