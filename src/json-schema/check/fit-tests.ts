import { child, isObject, isString, type Json } from "../../shared/json.js";
import { numberAt } from "../bounds.js";
import {
  always,
  canonical,
  type Fitting,
  lazily,
  type Test,
  type TestMaker,
  typeTest,
  Undecided,
  valueTest,
} from "../fits.js";
import { BY_NAME } from "../keywords.js";
import { listOf } from "../references.js";
import {
  allTest,
  itemCountTest,
  itemsTest,
  propertiesTest,
  referenceTest,
  requiredTest,
  someTest,
} from "../structure-tests.js";
import { spend } from "../work.js";
import { numberLimits, stringLimits } from "./check-plain.js";
import { entriesAt } from "./checking.js";

/** Whether a pattern matches. */
type Matches = (pattern: string, text: string) => boolean;

/**
 * The tests of all keywords. The cheapest are at the start.
 *
 * @param matches - Throws {@link Undecided} for a pattern that can't be matched in linear time.
 */
export function allMakers(matches: Matches): readonly TestMaker[] {
  return [
    ...[knownTypeTest, valueTest, requiredTest, numberTest, itemCountTest, propertyCountTest],
    (schema) => stringTest(schema, matches),
    (schema, fitting) => fieldsTest(schema, fitting, matches),
    ...[itemsTest, referenceTest, allTest, notTest, conditionTest, someTest("anyOf"), exactlyOneTest],
    ...[namesTest, dependentTest, containsTest, uniqueTest, unevaluatedTest],
  ];
}

function knownTypeTest(schema: Json, fitting: Fitting): Test | undefined {
  const test = typeTest(schema, fitting);
  if (!test && [schema["type"] ?? []].flat().length > 0) throw new Undecided();
  return test;
}

/** Which properties and items other keywords have seen is known only if all of them are read. */
function unevaluatedTest(schema: Json): undefined {
  if ("unevaluatedProperties" in schema || "unevaluatedItems" in schema) throw new Undecided();
}

function numberTest(schema: Json): Test | undefined {
  const limits = numberLimits(schema);
  if (limits.length === 0) return undefined;
  return (value) => typeof value !== "number" || !limits.some(({ isBroken }) => isBroken(value));
}

function stringTest(schema: Json, matches: Matches): Test | undefined {
  const limits = stringLimits(schema, matches);
  if (limits.length === 0) return undefined;
  return (value) => !isString(value) || !limits.some(({ isBroken }) => isBroken(value));
}

function propertyCountTest(schema: Json): Test | undefined {
  const [least = 0, most = Number.POSITIVE_INFINITY] = ["minProperties", "maxProperties"].map((keyword) =>
    numberAt(schema, keyword),
  );
  if (least === 0 && most === Number.POSITIVE_INFINITY) return undefined;
  return (value) => {
    const count = isObject(value) ? Object.keys(value).length : least;
    return !isObject(value) || (count >= least && count <= most);
  };
}

function notTest({ not }: Json, fitting: Fitting): Test | undefined {
  if (not === undefined) return undefined;
  const tests = lazily([not], fitting);
  return (value) => !tests().every((test) => test(value));
}

function conditionTest(schema: Json, fitting: Fitting): Test | undefined {
  const { if: condition, then = true, else: otherwise = true } = schema;
  if (condition === undefined) return undefined;
  const tests = lazily([condition, then, otherwise], fitting);
  return (value) => {
    const [holds = always, ...outcomes] = tests();
    return (outcomes[holds(value) ? 0 : 1] ?? always)(value);
  };
}

function exactlyOneTest(schema: Json, fitting: Fitting): Test | undefined {
  const branches = listOf(schema["oneOf"]);
  if (branches.length === 0) return undefined;
  const tests = lazily(branches, fitting);
  return (value) => tests().filter((test) => test(value)).length === 1;
}

function fieldsTest(schema: Json, fitting: Fitting, matches: Matches): Test | undefined {
  const patterns = entriesAt(schema, "patternProperties");
  if (patterns.length === 0) return propertiesTest(schema, fitting);
  const { patternProperties: _, additionalProperties, ...own } = schema;
  const ownTest = propertiesTest(own, fitting) ?? always;
  const tests = lazily(
    patterns.map(([, inner]) => inner),
    fitting,
  );
  const restTest = lazily([additionalProperties ?? true], fitting);
  return (value) => {
    if (!isObject(value)) return true;
    if (!ownTest(value)) return false;
    const patternTests = tests();
    const [test = always] = restTest();
    return Object.entries(value).every(([name, member]) => {
      spend();
      let isKnown = child(schema["properties"], name) !== undefined;
      for (const [index, [pattern]] of patterns.entries()) {
        if (!matches(pattern, name)) continue;
        isKnown = true;
        if (patternTests[index]?.(member) === false) return false;
      }
      return isKnown || test(member);
    });
  };
}

function namesTest({ propertyNames }: Json, fitting: Fitting): Test | undefined {
  if (propertyNames === undefined) return undefined;
  const tests = lazily([propertyNames], fitting);
  return (value) => !isObject(value) || Object.keys(value).every((name) => tests().every((test) => test(name)));
}

function dependentTest(schema: Json, fitting: Fitting): Test | undefined {
  const entries = BY_NAME.flatMap((keyword) => entriesAt(schema, keyword));
  if (entries.length === 0) return undefined;
  const needed = entries.map(([, needs]) => (Array.isArray(needs) ? { required: needs } : needs));
  const tests = lazily(needed, fitting);
  return (value) =>
    !isObject(value) || tests().every((test, index) => !Object.hasOwn(value, entries[index]?.[0] ?? "") || test(value));
}

function containsTest(schema: Json, fitting: Fitting): Test | undefined {
  const { contains } = schema;
  if (contains === undefined) return undefined;
  const tests = lazily([contains], fitting);
  const least = numberAt(schema, "minContains") ?? 1;
  const most = numberAt(schema, "maxContains") ?? Number.POSITIVE_INFINITY;
  return (value) => {
    if (!Array.isArray(value)) return true;
    const count = value.filter((item) => tests().every((test) => test(item))).length;
    return count >= least && count <= most;
  };
}

function uniqueTest({ uniqueItems }: Json): Test | undefined {
  if (uniqueItems !== true) return undefined;
  return (value) => !Array.isArray(value) || new Set(value.map(canonical)).size === value.length;
}
