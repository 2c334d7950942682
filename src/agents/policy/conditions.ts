import { canonicalJson } from "../../shared/canonical-json.js";
import { child, isLongInteger, isString } from "../../shared/json.js";
import type { ArgumentCondition, Conditions, PolicyCall } from "./rules.js";

type ValueTest = (value: unknown) => boolean;

/**
 * Compiles conditions by argument to one function of a call. It returns `undefined` if the result depends on which
 * argument a path means.
 */
export function conditionsTest(conditions: Conditions): (call: Pick<PolicyCall, "arguments">) => boolean | undefined {
  const tests = Object.entries(conditions).map(([path, condition]) => [path, conditionTest(condition)] as const);
  return (call) => {
    const answers = tests.map(([path, test]) => {
      const values = valuesAt(call.arguments, path);
      // An argument that is missing is tested too.
      const [first, ...others] = (values.length > 0 ? values : [undefined]).map(test);
      return others.every((other) => other === first) ? first : undefined;
    });
    if (answers.includes(false)) return false;
    return answers.includes(undefined) ? undefined : true;
  };
}

/** All that a path may mean: `a.b` is `b` in `a`, and an argument named `a.b`. */
function valuesAt(value: unknown, path: string): unknown[] {
  if (value === undefined) return [];
  const own: unknown = child(value, path);
  const ends = [...path.matchAll(/\./g)].map(({ index }) => index);
  const nested = ends.flatMap((end) => valuesAt(child(value, path.slice(0, end)), path.slice(end + 1)));
  return own === undefined ? nested : [own, ...nested];
}

/** How each operator is tested. None can be omitted: without its test, a condition would match every call. */
const OPERATORS: Readonly<Record<keyof ArgumentCondition, (condition: ArgumentCondition) => ValueTest | undefined>> = {
  is: ({ is }) => (is === undefined ? undefined : equals([is])),
  oneOf: ({ oneOf }) => oneOf && equals(oneOf),
  like: ({ like }) => {
    const matches = like === undefined ? undefined : glob(like);
    return matches && ((value) => isString(value) && matches(value));
  },
  atLeast: ({ atLeast }) => (atLeast === undefined ? undefined : (value) => numberIn(value) >= atLeast),
  atMost: ({ atMost }) => (atMost === undefined ? undefined : (value) => numberIn(value) <= atMost),
  present: ({ present }) => (present === undefined ? undefined : (value) => (value !== undefined) === present),
  every: ({ every }) => {
    const test = every && conditionTest(every);
    return test && ((value) => Array.isArray(value) && value.every(test));
  },
  some: ({ some }) => {
    const test = some && conditionTest(some);
    return test && ((value) => Array.isArray(value) && value.some(test));
  },
  not: ({ not }) => {
    const test = not && conditionTest(not);
    return test && ((value) => !test(value));
  },
};

function conditionTest(condition: ArgumentCondition): ValueTest {
  const tests = Object.values(OPERATORS).flatMap((testOf) => testOf(condition) ?? []);
  return (value) => tests.every((test) => test(value));
}

/** The number of an argument, or NaN. A large integer arrives as its digits, which must not pass a limit either. */
function numberIn(value: unknown): number {
  return typeof value === "number" || isLongInteger(value) ? Number(value) : Number.NaN;
}

function equals(values: readonly unknown[]): ValueTest {
  const known = new Set(values.map(canonicalJson));
  return (value) => value !== undefined && known.has(canonicalJson(value));
}

/**
 * Compiles a pattern in which `*` stands for any characters, also none, and everything else for itself, case included.
 * Matching never goes back, so no name makes it slow.
 */
export function glob(pattern: string): (text: string) => boolean {
  const [start = "", ...others] = pattern.split("*");
  const end = others.pop();
  if (end === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(start) || !text.endsWith(end)) return false;
    const last = text.length - end.length;
    let from = start.length;
    for (const part of others) {
      const found = text.indexOf(part, from);
      if (found === -1) return false;
      from = found + part.length;
    }
    // The parts don't overlap: `A*A` isn't `A`.
    return from <= last;
  };
}
