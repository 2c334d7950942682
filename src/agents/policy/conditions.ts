import { child, isString } from "../../shared/json.js";
import { canonicalJson } from "../canonical.js";
import { glob } from "./glob.js";
import type { Condition, Conditions } from "./rules.js";

type Test = (value: unknown) => boolean;

/** Compiles conditions by argument to one function of all arguments. */
export function conditionsTest(conditions: Conditions): Test {
  const tests = Object.entries(conditions).map(([path, condition]) => {
    const names = path.split(".");
    const test = conditionTest(condition);
    return (args: unknown) => test(names.reduce<unknown>(child, args));
  });
  return (args) => tests.every((test) => test(args));
}

function conditionTest({ is, oneOf, like, atLeast, atMost, present, every, some, not }: Condition): Test {
  const tests: Test[] = [];
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

function equals(values: readonly unknown[]): Test {
  const known = new Set(values.map(canonicalJson));
  return (value) => value !== undefined && known.has(canonicalJson(value));
}
