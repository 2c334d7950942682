import { type DecisionOutcome, READABLE_META_TOOLS } from "../tool.js";
import type { Effect } from "./check-rules.js";
import { conditionsTest, glob } from "./conditions.js";
import type { PolicyCall, Predicate, RuleMatch } from "./rules.js";

/** Whether what a tool does can't be seen in its arguments. A meta tool that isn't known may be one. */
function canRunAnything(name: string): boolean {
  return name.startsWith("SVC_") && !READABLE_META_TOOLS.includes(name);
}

const OUTCOME_OF = { deny: "deny", dryRun: "dry_run", ask: "ask", allow: "allow" } as const satisfies Record<
  Effect,
  DecisionOutcome
>;

/** The statement of one rule about a call. */
export interface RuleTrace {
  /** The rule's name, or its place: `rules[2]`. */
  readonly rule: string;
  /** The outcome it stands for. */
  readonly outcome: DecisionOutcome;
  /** Whether it matched. */
  readonly matched: boolean;
  /** The first field that didn't match. */
  readonly failed: keyof RuleMatch | undefined;
  /**
   * Fields about facts that aren't known, such as the user of a session, and `when` if only one of several arguments
   * that it may mean matches. They match unless the rule allows.
   */
  readonly unknown: readonly (keyof RuleMatch)[];
  /** True if no field failed, but the tool can run anything, and only a rule with its exact name can allow it. */
  readonly needsExactName: boolean;
  /** The error that its predicate threw: the call is denied. */
  readonly error: unknown;
}

/** A rule that is ready to be asked. */
export type CompiledRule = ReturnType<typeof compileRule>;

export function compileRule(rule: string, kind: Effect, match: RuleMatch) {
  const outcome = OUTCOME_OF[kind];
  const matches = matcher(match);
  // Denied and dry runs run nothing, so those need no name.
  const needsName = outcome === "allow" || outcome === "ask";
  return {
    rule,
    outcome,
    reason: match.reason,
    /**
     * Evaluates it for a call. Never throws. Leniently, fields about unknown facts match if the rule allows, and don't
     * if it restricts.
     */
    evaluate: (call: MatchedCall, isLenient = false): RuleTrace => {
      const facts = { failed: undefined, unknown: [], needsExactName: false, error: undefined };
      const silent = { rule, outcome, matched: false, ...facts };
      try {
        const { failed, unknown } = matches(call);
        if (failed !== undefined) return { ...silent, failed };
        const { name } = call.tool;
        if (needsName && canRunAnything(name) && !match.tools?.includes(name))
          return { ...silent, needsExactName: true };
        const fits = unknown.length === 0 || (outcome === "allow") === isLenient;
        return { ...silent, matched: fits, unknown };
      } catch (error) {
        return { ...silent, error: new Error(`The predicate of ${rule} failed.`, { cause: error }) };
      }
    },
  };
}

/** Whether a field matches a call; `undefined` if its fact is unknown. */
type Answer = boolean | undefined;

/** A call, or a tool of which nothing but its facts is known. */
export type MatchedCall = PolicyCall & { readonly isToolOnly?: boolean };

/** Compiles the fields of a rule. The function throws what a predicate throws, and if it doesn't return a boolean. */
export function matcher({ tools, toolkits, tags, versions, users, accounts, when }: RuleMatch) {
  const tests: [keyof RuleMatch, (call: MatchedCall) => Answer][] = [];
  // Meta tools whose calls show what they do have no version and no account.
  const isService = ({ tool }: MatchedCall) => tool.kind !== "local" && !READABLE_META_TOOLS.includes(tool.name);
  if (tools) {
    const test = anyOf(tools);
    tests.push(["tools", ({ tool }) => test(tool.name)]);
  }
  if (toolkits) {
    const test = anyOf(toolkits);
    tests.push(["toolkits", ({ tool: { toolkit } }) => toolkit !== undefined && test(toolkit)]);
  }
  if (tags) tests.push(["tags", ({ tool }) => tool.tags?.some((tag) => tags.includes(tag)) ?? false]);
  if (versions) {
    const test = anyOf(versions);
    tests.push(["versions", (call) => known(call.tool.version, test, isService(call))]);
  }
  if (users) {
    const test = anyOf(users);
    tests.push(["users", ({ userId }) => known(userId, test, true)]);
  }
  if (accounts) {
    const test = anyOf(accounts);
    tests.push(["accounts", (call) => known(call.accountId, test, isService(call))]);
  }
  if (when) {
    const test = typeof when === "function" ? predicateTest(when) : conditionsTest(when);
    tests.push(["when", (call) => (call.isToolOnly ? undefined : test({ ...call, arguments: call.arguments ?? {} }))]);
  }
  return (call: MatchedCall): Pick<RuleTrace, "failed" | "unknown"> => {
    const unknown: (keyof RuleMatch)[] = [];
    for (const [field, test] of tests) {
      const answer = test(call);
      if (answer === false) return { failed: field, unknown: [] };
      if (answer === undefined) unknown.push(field);
    }
    return { failed: undefined, unknown };
  };
}

function anyOf(patterns: readonly string[]): (text: string) => boolean {
  const tests = patterns.filter((pattern) => pattern.includes("*")).map(glob);
  return (text) => patterns.includes(text) || tests.some((test) => test(text));
}

/** Tests a fact. One that is missing is unknown if the call has it, otherwise it doesn't match. */
function known(fact: string | undefined, test: (text: string) => boolean, hasOne: boolean): Answer {
  if (fact !== undefined) return test(fact);
  return hasOne ? undefined : false;
}

/** The function it returns throws a TypeError if the predicate returns something else than a boolean. */
function predicateTest(predicate: Predicate): Predicate {
  return (call) => {
    const result: unknown = predicate(call);
    if (typeof result === "boolean") return result;
    // A promise that rejects would otherwise end the process.
    if (result instanceof Promise) result.catch(() => undefined);
    throw new TypeError("`when` must return true or false. A promise isn't awaited.");
  };
}
