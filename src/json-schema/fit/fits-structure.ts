// The room of quick checks: whether a value fits a schema, by tests that it keeps for each schema. It imports no words
// of mismatches. Start here, then `schema-tests.ts`.

import type { Json } from "../../shared/json.js";
import { resolverOf } from "../references.js";
import { membersTest } from "./members.js";
import { Fitting, SchemaTests } from "./schema-tests.js";
import { allTest, itemCountTest, itemsTest, referenceTest, someTest } from "./structure-tests.js";

/** Maximum depth of values and combinators. The stack lasts longer, and real arguments stay below. */
const DEEPEST = 400;

const MAKERS = [itemCountTest, membersTest, itemsTest, referenceTest, allTest, someTest("anyOf"), someTest("oneOf")];

/** The tests of schemas, without and with long integers. They live as long as the schemas. */
const known = [new WeakMap<Json, SchemaTests>(), new WeakMap<Json, SchemaTests>()] as const;

/** Compares the structure of values: types, required and unknown properties, enums. */
export function structureFitting(schema: Json, takesLongIntegers: boolean): Fitting {
  const all = known[takesLongIntegers ? 1 : 0];
  let tests = all.get(schema);
  if (!tests) {
    const resolve = resolverOf(schema);
    tests = new SchemaTests({ resolve, makers: MAKERS, deepest: DEEPEST, takesLongIntegers, loop: () => true });
    all.set(schema, tests);
  }
  return new Fitting(tests);
}

/**
 * Whether a value has the structure of a JSON Schema, which must not change after the first value.
 * `check/check-structure.ts` says why it hasn't.
 *
 * @param takesLongIntegers - Whether a long integer, which is a string of its digits in arguments, is a number.
 * @throws {Error} if the value or the schema is nested too deeply to be compared.
 * @throws {TooMuchWork} if the comparison takes too long.
 */
export function fitsStructure(schema: Json, value: unknown, takesLongIntegers = false): boolean {
  return structureFitting(schema, takesLongIntegers).fits(schema, value);
}
