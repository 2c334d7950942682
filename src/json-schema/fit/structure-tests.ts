import type { Json } from "../../shared/json.js";
import { itemsOf } from "../items.js";
import { listOf, referencesOf } from "../references.js";
import { spend } from "../step-limit.js";
import {
  type Fitting,
  lazily,
  passes,
  type SchemaTest,
  type SchemaTests,
  type Test,
  type TestMaker,
} from "./schema-tests.js";
import { haveType, OBJECT } from "./type-bits.js";

export function referenceTest(schema: Json, tests: SchemaTests): Test | undefined {
  const [reference, ...others] = referencesOf(schema);
  if (reference === undefined) return undefined;
  const first: unknown = tests.options.resolve(reference);
  const found = others.length === 0 ? first : { allOf: [first, ...others.map(($ref) => ({ $ref }))] };
  let target: SchemaTest | undefined;
  const targetOf = () => (target ??= tests.of(found));
  return tests.remembers
    ? (value, fitting) => fitting.remembered(schema, targetOf(), value)
    : (value, fitting) => fitting.inside(targetOf(), value);
}

export function allTest({ allOf }: Json, tests: SchemaTests): Test | undefined {
  if (!Array.isArray(allOf)) return undefined;
  const parts = lazily(allOf, tests);
  return (value, fitting) => fitting.all(parts(), value);
}

/** The test of a union of which some branch must fit. */
export const someTest =
  (keyword: "anyOf" | "oneOf"): TestMaker =>
  (schema, tests) => {
    const union = listOf(schema[keyword]);
    if (union.length === 0) return undefined;
    const branches = lazily(union, tests);
    return (value, fitting) => fitting.some(branches(), value);
  };

export function itemsTest(schema: Json, tests: SchemaTests): Test | undefined {
  const { first, rest } = itemsOf(schema);
  if (first.length === 0 && rest === undefined) return undefined;
  const firstTests = lazily(first, tests);
  let others: SchemaTest | undefined;
  return (value, fitting) => {
    if (!Array.isArray(value)) return true;
    spend(value.length);
    const tuple = firstTests();
    others ??= tests.of(rest ?? true);
    if (tuple.length === 0 && !others.more) return haveType(others.types, value);
    fitting.enter();
    let index = 0;
    while (index < value.length && tuple[index]?.(value[index], fitting)) index += 1;
    const fits = index >= Math.min(tuple.length, value.length) && restFits(others, value, index, fitting);
    fitting.leave();
    return fits;
  };
}

/** Whether the items from an index on fit. */
function restFits(test: SchemaTest, items: readonly unknown[], start: number, fitting: Fitting): boolean {
  const fitUntil = test.types & OBJECT ? test.more?.fitUntil : undefined;
  let index = fitUntil ? fitUntil(items, start, fitting) : start;
  while (index < items.length && passes(test, items[index], fitting))
    index = fitUntil ? fitUntil(items, index + 1, fitting) : index + 1;
  return index >= items.length;
}

export function itemCountTest({ minItems, maxItems }: Json): Test | undefined {
  if (typeof minItems !== "number" && typeof maxItems !== "number") return undefined;
  return (value) => !Array.isArray(value) || !(value.length < Number(minItems) || value.length > Number(maxItems));
}
