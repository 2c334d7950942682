import { canonicalJson } from "../../shared/canonical-json.js";
import { child, isString } from "../../shared/json.js";
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

function conditionTest({ is, oneOf, like, atLeast, atMost, present, every, some, not }: ArgumentCondition): ValueTest {
  const tests: ValueTest[] = [];
  if (is !== undefined) tests.push(equals([is]));
  if (oneOf !== undefined) tests.push(equals(oneOf));
  if (like !== undefined) {
    const matches = glob(like);
    tests.push((value) => isString(value) && matches(value));
  }
  if (atLeast !== undefined) tests.push((value) => typeof value === "number" && value >= atLeast);
  if (atMost !== undefined) tests.push((value) => typeof value === "number" && value <= atMost);
  if (present !== undefined) tests.push((value) => (value !== undefined) === present);
  if (every !== undefined) {
    const test = conditionTest(every);
    tests.push((value) => Array.isArray(value) && value.every(test));
  }
  if (some !== undefined) {
    const test = conditionTest(some);
    tests.push((value) => Array.isArray(value) && value.some(test));
  }
  if (not !== undefined) {
    const test = conditionTest(not);
    tests.push((value) => !test(value));
  }
  return (value) => tests.every((test) => test(value));
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
