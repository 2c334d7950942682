import type { Json } from "../shared/json.js";
import { Fitting, typeTest, valueTest } from "./fits.js";
import { type Resolve, resolverOf } from "./references.js";
import {
  allTest,
  itemCountTest,
  itemsTest,
  propertiesTest,
  referenceTest,
  requiredTest,
  someTest,
} from "./structure-tests.js";
import { unlistedProperties } from "./unlisted.js";
import { atMost } from "./work.js";

/** Maximum depth of values and combinators. The stack lasts longer, and real arguments stay below. */
const DEEPEST = 400;
/** Maximum steps of a decision, and of a list of mismatches: each takes less than 0.3 s. */
export const MOST_STEPS = 4_000_000;

const MAKERS = [
  ...[typeTest, valueTest, requiredTest, itemCountTest, propertiesTest, itemsTest, referenceTest, allTest],
  ...[someTest("anyOf"), someTest("oneOf")],
];

/** Compares the structure of values: types, required and unknown properties, enums. */
export function structureFitting(resolve: Resolve, takesLongIntegers: boolean): Fitting {
  return new Fitting({ resolve, makers: MAKERS, deepest: DEEPEST, takesLongIntegers, loop: () => true });
}

/**
 * Whether a value has the structure of a JSON Schema. `check/check-structure.ts` says why it hasn't.
 *
 * @param takesLongIntegers - Whether a long integer, which is a string of its digits in arguments, is a number.
 * @throws {Error} if the value or the schema is nested too deeply to be compared.
 * @throws {TooMuchWork} if the comparison takes too long.
 */
export function fitsStructure(schema: Json, value: unknown, takesLongIntegers = false): boolean {
  const fitting = structureFitting(resolverOf(schema), takesLongIntegers);
  return atMost(MOST_STEPS, () => fitting.fits(schema, value));
}

/**
 * Whether a schema lists every property of a value, or mentions it in another way.
 *
 * @throws {TooMuchWork} if the comparison takes too long.
 */
export function listsAll(schema: Json, value: unknown): boolean {
  return atMost(MOST_STEPS, () => unlistedProperties(schema, value)).length === 0;
}
