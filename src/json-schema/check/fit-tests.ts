import { child, isObject, isString, type Json } from "../../shared/json.js";
import { numberAt } from "../bounds.js";
import { membersTest } from "../fit/members.js";
import { lazily, type SchemaTests, type Test, type TestMaker, Undecided } from "../fit/schema-tests.js";
import { allTest, itemCountTest, itemsTest, referenceTest, someTest } from "../fit/structure-tests.js";
import { typeBits } from "../fit/type-bits.js";
import { canonical } from "../json-equal.js";
import { BY_NAME } from "../keywords.js";
import { listOf } from "../references.js";
import { spend } from "../step-limit.js";
import { limitedNumber, numberLimits, stringLimits } from "./check-plain.js";
import { entriesAt } from "./checking.js";

/** Whether a pattern matches. */
type Matches = (pattern: string, text: string) => boolean;

/**
 * The tests of all keywords except of types and values. The cheapest are at the start.
 *
 * @param matches - Throws {@link Undecided} for a pattern that can't be matched in linear time.
 */
export function allMakers(matches: Matches): readonly TestMaker[] {
  return [
    ...[knownTypeTest, numberTest, itemCountTest, propertyCountTest],
    (schema) => stringTest(schema, matches),
    (schema, tests) => fieldsTest(schema, tests, matches),
    ...[itemsTest, referenceTest, allTest, notTest, conditionTest, someTest("anyOf"), exactlyOneTest],
    ...[namesTest, dependentTest, containsTest, uniqueTest, unevaluatedTest],
  ];
}

function knownTypeTest({ type = [] }: Json): undefined {
  if ([type].flat().length > 0 && typeBits(type, false) === undefined) throw new Undecided();
}

/** Which properties and items other keywords have seen is known only if all of them are read. */
function unevaluatedTest(schema: Json): undefined {
  if ("unevaluatedProperties" in schema || "unevaluatedItems" in schema) throw new Undecided();
}

function numberTest(schema: Json): Test | undefined {
  const limits = numberLimits(schema);
  if (limits.length === 0) return undefined;
  return (value) => {
    const number = limitedNumber(schema, value);
    return number === undefined || !limits.some(({ isBroken }) => isBroken(number));
  };
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

function notTest({ not }: Json, tests: SchemaTests): Test | undefined {
  if (not === undefined) return undefined;
  const inner = lazily([not], tests);
  return (value, fitting) => !fitting.all(inner(), value);
}

function conditionTest(schema: Json, tests: SchemaTests): Test | undefined {
  const { if: condition, then = true, else: otherwise = true } = schema;
  if (condition === undefined) return undefined;
  const conditions = lazily([condition], tests);
  const outcomes = [lazily([then], tests), lazily([otherwise], tests)];
  return (value, fitting) => {
    const outcome = outcomes[fitting.all(conditions(), value) ? 0 : 1]?.() ?? [];
    return fitting.all(outcome, value);
  };
}

function exactlyOneTest(schema: Json, tests: SchemaTests): Test | undefined {
  const union = listOf(schema["oneOf"]);
  if (union.length === 0) return undefined;
  const branches = lazily(union, tests);
  return (value, fitting) => {
    spend(union.length >> 1);
    return branches().filter((test) => test(value, fitting)).length === 1;
  };
}

function fieldsTest(schema: Json, tests: SchemaTests, matches: Matches): Test | undefined {
  const patterns = entriesAt(schema, "patternProperties");
  if (patterns.length === 0) return membersTest(schema, tests);
  const { patternProperties: _, additionalProperties, ...own } = schema;
  const ownTest = membersTest(own, tests);
  const inner = lazily(
    patterns.map(([, member]) => member),
    tests,
  );
  const rest = lazily([additionalProperties ?? true], tests);
  return (value, fitting) => {
    if (!isObject(value)) return true;
    if (ownTest?.(value, fitting) === false) return false;
    return Object.entries(value).every(([name, member]) => {
      spend();
      let isKnown = child(schema["properties"], name) !== undefined;
      for (const [index, test] of inner().entries()) {
        if (!matches(patterns[index]?.[0] ?? "", name)) continue;
        isKnown = true;
        if (!test(member, fitting)) return false;
      }
      return isKnown || fitting.all(rest(), member);
    });
  };
}

function namesTest({ propertyNames }: Json, tests: SchemaTests): Test | undefined {
  if (propertyNames === undefined) return undefined;
  const inner = lazily([propertyNames], tests);
  return (value, fitting) => !isObject(value) || Object.keys(value).every((name) => fitting.all(inner(), name));
}

function dependentTest(schema: Json, tests: SchemaTests): Test | undefined {
  const entries = BY_NAME.flatMap((keyword) => entriesAt(schema, keyword));
  if (entries.length === 0) return undefined;
  const needed = entries.map(([, needs]) => (Array.isArray(needs) ? { required: needs } : needs));
  const inner = lazily(needed, tests);
  return (value, fitting) => {
    if (!isObject(value)) return true;
    const applying = inner().filter((_, index) => Object.hasOwn(value, entries[index]?.[0] ?? ""));
    return fitting.all(applying, value);
  };
}

function containsTest(schema: Json, tests: SchemaTests): Test | undefined {
  const { contains } = schema;
  if (contains === undefined) return undefined;
  const inner = lazily([contains], tests);
  const least = numberAt(schema, "minContains") ?? 1;
  const most = numberAt(schema, "maxContains") ?? Number.POSITIVE_INFINITY;
  return (value, fitting) => {
    if (!Array.isArray(value)) return true;
    const count = value.filter((item) => fitting.all(inner(), item)).length;
    return count >= least && count <= most;
  };
}

function uniqueTest({ uniqueItems }: Json): Test | undefined {
  if (uniqueItems !== true) return undefined;
  return (value) => !Array.isArray(value) || new Set(value.map(canonical)).size === value.length;
}
