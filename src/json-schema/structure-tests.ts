import { child, isObject, isString, type Json } from "../shared/json.js";
import { always, type Fitting, lazily, type Test, type TestMaker } from "./fits.js";
import { itemsOf } from "./items.js";
import { listOf, referencesOf } from "./references.js";
import { spend } from "./work.js";

export function referenceTest(schema: Json, fitting: Fitting): Test | undefined {
  const references = referencesOf(schema);
  if (references.length === 0) return undefined;
  const { resolve, loop } = fitting.options;
  const targets = lazily(
    references.map((reference) => resolve(reference)),
    fitting,
  );
  // Several ways can lead here with the same value.
  const known = new Map<object, boolean | undefined>();
  let last: { readonly value: unknown; fits?: boolean } | undefined;
  return (value) => {
    if (typeof value === "object" && value !== null) {
      if (known.has(value)) return known.get(value) ?? loop();
      known.set(value, undefined);
      const fits = targets().every((test) => test(value));
      known.set(value, fits);
      return fits;
    }
    // Nothing is inside of it, so all ways are tried one after another.
    if (last && Object.is(last.value, value)) return last.fits ?? loop();
    const answer: { readonly value: unknown; fits?: boolean } = { value };
    last = answer;
    answer.fits = targets().every((test) => test(value));
    return answer.fits;
  };
}

export function allTest({ allOf }: Json, fitting: Fitting): Test | undefined {
  if (!Array.isArray(allOf)) return undefined;
  const tests = lazily(allOf, fitting);
  return (value) => tests().every((test) => test(value));
}

/** The test of a union of which some branch must fit. */
export const someTest =
  (keyword: "anyOf" | "oneOf"): TestMaker =>
  (schema, fitting) => {
    const branches = listOf(schema[keyword]);
    if (branches.length === 0) return undefined;
    const tests = lazily(branches, fitting);
    return (value) => tests().some((test) => test(value));
  };

export function requiredTest({ required }: Json): Test | undefined {
  const names = listOf(required).filter(isString);
  if (names.length === 0) return undefined;
  return (value) => {
    if (!isObject(value)) return true;
    spend(names.length / 8);
    return names.every((name) => Object.hasOwn(value, name));
  };
}

/** The test of properties. With `patternProperties`, those that aren't declared may be anything. */
export function propertiesTest(schema: Json, fitting: Fitting): Test | undefined {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const others = "patternProperties" in schema ? undefined : schema["additionalProperties"];
  const names = Object.keys(properties);
  if (others === undefined && names.length === 0) return undefined;
  // Starts with properties that tell the branches of a union apart.
  const sorted = names.toSorted(
    (one, other) => Number(isTelling(properties[other])) - Number(isTelling(properties[one])),
  );
  const tests = lazily(
    sorted.map((name) => properties[name]),
    fitting,
  );
  const restTest = lazily([others ?? true], fitting);
  const declared = new Set(names);
  return (value) => {
    if (!isObject(value)) return true;
    const memberTests = tests();
    spend(sorted.length);
    for (let index = 0; index < sorted.length; index += 1) {
      const name = sorted[index] ?? "";
      if (Object.hasOwn(value, name) && !memberTests[index]?.(value[name])) return false;
    }
    if (others === undefined) return true;
    const [test = always] = restTest();
    for (const name of Object.keys(value)) {
      spend();
      if (!declared.has(name) && !test(value[name])) return false;
    }
    return true;
  };
}

/** Whether a schema lists its values, as that of a property that tells branches apart does. */
function isTelling(schema: unknown): boolean {
  return child(schema, "const") !== undefined || Array.isArray(child(schema, "enum"));
}

export function itemsTest(schema: Json, fitting: Fitting): Test | undefined {
  const { first, rest } = itemsOf(schema);
  if (first.length === 0 && rest === undefined) return undefined;
  const firstTests = lazily(first, fitting);
  const restTest = lazily([rest ?? true], fitting);
  return (value) => {
    if (!Array.isArray(value)) return true;
    spend(value.length);
    const tests = firstTests();
    const [others = always] = restTest();
    for (let index = 0; index < value.length; index += 1) {
      if (!(tests[index] ?? others)(value[index])) return false;
    }
    return true;
  };
}

export function itemCountTest({ minItems, maxItems }: Json): Test | undefined {
  if (typeof minItems !== "number" && typeof maxItems !== "number") return undefined;
  return (value) => !Array.isArray(value) || !(value.length < Number(minItems) || value.length > Number(maxItems));
}
