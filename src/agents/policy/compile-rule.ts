import { isMetaTool } from "../../shared/tools.js";
import type { DecisionOutcome } from "../decision.js";
import { READABLE_META_TOOLS } from "../tools/meta-tools.js";
import type { Effect } from "./check-rules.js";
import { conditionsTest, glob } from "./conditions.js";
import type { PolicyCall, Predicate, RuleMatch } from "./rules.js";

/** Whether what a tool does can't be seen in its arguments. A meta tool that isn't known may be one. */
export function canRunAnything(name: string): boolean {
  return isMetaTool(name) && !READABLE_META_TOOLS.includes(name);
}

const OUTCOME_OF = { deny: "deny", dryRun: "dry_run", ask: "ask", allow: "allow" } as const satisfies Record<
  Effect,
  DecisionOutcome
>;

/** The result of one rule for a call. */
export interface RuleTrace {
  /** The rule's name, or its place: `rules[2]`. */
  readonly rule: string;
  /** The outcome if the rule matches. */
  readonly outcome: DecisionOutcome;
  /** Whether it matched. */
  readonly matched: boolean;
  /** The first field that didn't match. */
  readonly failed: keyof RuleMatch | undefined;
  /**
   * Fields about unknown facts, such as the user of a session, and `when` if only one of two arguments with the same
   * name matches. These fields match unless the rule is an `allow` rule.
   */
  readonly unknown: readonly (keyof RuleMatch)[];
  /**
   * True if no field failed, but the tool can run anything, and only a rule with its exact name can let it run. An
   * `ask` rule matches nevertheless: if another rule names the tool, the call needs an approval.
   */
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
  const letsRun = outcome === "allow" || outcome === "ask";
  return {
    rule,
    outcome,
    reason: match.reason,
    /** The labels that it compares. */
    after: match.after ?? [],
    /**
     * Evaluates it for a call. Never throws. Fields about unknown facts match unless the rule allows. Leniently, they
     * match only if the rule lets a call run, with an approval too.
     */
    evaluate: (call: MatchedCall, isLenient = false): RuleTrace => {
      const facts = { failed: undefined, unknown: [], needsExactName: false, error: undefined };
      const silent = { rule, outcome, matched: false, ...facts };
      try {
        const { failed, unknown } = matches(call);
        if (failed !== undefined) return { ...silent, failed };
        const { name } = call.tool;
        const needsExactName = letsRun && canRunAnything(name) && !match.tools?.includes(name);
        if (needsExactName && outcome === "allow") return { ...silent, needsExactName };
        const fits = unknown.length === 0 || (isLenient ? letsRun : outcome !== "allow");
        return { ...silent, matched: fits, unknown, needsExactName };
      } catch (error) {
        return { ...silent, error: new Error(`The predicate of ${rule} failed.`, { cause: error }) };
      }
    },
  };
}

/** Whether a field matches a call; `undefined` if its fact is unknown. */
type MatchTest = (call: MatchedCall) => boolean | undefined;

/** A call, or a tool of which nothing but its facts is known. Then missing tags are unknown, too. */
export type MatchedCall = PolicyCall & { readonly isToolOnly?: boolean };

/** The fields of a rule that a call has to match. */
type MatchField = Exclude<keyof RuleMatch, "name" | "reason">;

/** How each field is tested, in this order. None can be omitted: without its test, a field would match every call. */
const TESTS: Readonly<Record<MatchField, (match: RuleMatch) => MatchTest | undefined>> = {
  tools: ({ tools }) => among(tools, ({ tool }) => tool.name),
  toolkits: ({ toolkits }) => among(toolkits, ({ tool }) => tool.toolkit),
  tags: ({ tags }) => {
    const isOne = (tag: string) => tags?.includes(tag);
    return tags && (({ tool, isToolOnly }) => tool.tags?.some(isOne) ?? (isToolOnly ? undefined : false));
  },
  versions: ({ versions }) => among(versions, ({ tool }) => tool.version, isService),
  users: ({ users }) => among(users, ({ userId }) => userId, hasUser),
  accounts: ({ accounts }) => among(accounts, ({ accountId }) => accountId, isService),
  after: ({ after }) => after && (({ labels }) => labels?.some((label) => after.includes(label))),
  when: ({ when }) => {
    const test = when && (typeof when === "function" ? predicateTest(when) : conditionsTest(when));
    return test && ((call) => (call.isToolOnly ? undefined : test({ ...call, arguments: call.arguments ?? {} })));
  },
};

/** Compiles the fields of a rule. The function throws what a predicate throws, and if it doesn't return a boolean. */
export function matcher(match: RuleMatch) {
  const tests: [MatchField, MatchTest][] = [];
  for (const [field, testOf] of Object.entries(TESTS)) {
    const test = testOf(match);
    // The names of the table.
    if (test) tests.push([field as MatchField, test]);
  }
  return (call: MatchedCall): Pick<RuleTrace, "failed" | "unknown"> => {
    const unknown: MatchField[] = [];
    for (const [field, test] of tests) {
      const answer = test(call);
      if (answer === false) return { failed: field, unknown: [] };
      if (answer === undefined) unknown.push(field);
    }
    return { failed: undefined, unknown };
  };
}

/** A session that was opened by its id alone has a user, too: an unknown one. */
const hasUser = () => true;

/** Meta tools whose calls show what they do have no version and no account. */
function isService({ tool }: MatchedCall): boolean {
  return tool.kind !== "local" && !READABLE_META_TOOLS.includes(tool.name);
}

/**
 * Tests a fact of a call with the patterns of a field, if it is given. A fact that is missing is unknown if the call
 * has one, otherwise it doesn't match.
 */
function among(
  patterns: readonly string[] | undefined,
  factOf: (call: MatchedCall) => string | undefined,
  hasOne: (call: MatchedCall) => boolean = () => false,
): MatchTest | undefined {
  if (!patterns) return undefined;
  const globs = patterns.map(glob);
  return (call) => {
    const fact = factOf(call);
    if (fact === undefined) return hasOne(call) ? undefined : false;
    for (const fits of globs) if (fits(fact)) return true;
    return false;
  };
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
