import { conditionsTest } from "./conditions.js";
import { glob } from "./glob.js";
import { isReadableMetaTool } from "./meta-tools.js";
import type { JudgedCall, Predicate, RuleMatch } from "./rules.js";

/** Whether a field matches a call; `undefined` if the fact it is about is unknown. */
type Answer = boolean | undefined;

/** Whether a rule's fields match a call. */
export interface Matched {
  /** The field that doesn't match; `undefined` if all do. */
  readonly failed: keyof RuleMatch | undefined;
  /** Fields about facts that aren't known. */
  readonly unknown: readonly (keyof RuleMatch)[];
}

/** A call, or a tool of which nothing but its facts is known. */
export type MatchedCall = JudgedCall & { readonly isToolOnly?: boolean };

/** Compiles the fields of a rule. The function throws what a predicate throws, and if it doesn't return a boolean. */
export function matcher({ tools, toolkits, tags, versions, users, accounts, when }: RuleMatch) {
  const tests: [keyof RuleMatch, (call: MatchedCall) => Answer][] = [];
  const isService = ({ tool }: MatchedCall) => tool.kind !== "own" && !isReadableMetaTool(tool.name);
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
  return (call: MatchedCall): Matched => {
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
  const tests = patterns.map(glob);
  return (text) => tests.some((test) => test(text));
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
