import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contract, operations } from "../../src/contract/index.js";
import { sized } from "../support/size.js";
import { arbitraryOf, fits } from "./arbitrary.js";

const PARTS = ["query", "body", "response"] as const;
const schemas = operations.flatMap((operation) =>
  PARTS.flatMap((part) => {
    const schema = operation[part];
    return schema ? [[operation.endpoint.name, part, schema] as const] : [];
  }),
);

/** The value with one part replaced, at a place that `where` selects. */
function damaged(value: unknown, where: number, other: unknown): unknown {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const key = keys[where % (keys.length + 1)];
  if (key === undefined) return other;
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value);
  copy[key] = damaged(copy[key], Math.floor(where / (keys.length + 1)), other);
  return copy;
}

describe("a schema checks the same after many uses", () => {
  test.each(schemas)("%s, %s", (name, part, schema) => {
    const other = fc.constantFrom<unknown>(null, undefined, 0, -1.5, "", "text", true, [], [null], {}, { x: 1 });
    const given = fc.record({ value: arbitraryOf(schema), where: fc.nat(), other });
    const judges = ({ value, where, other }: { value: unknown; where: number; other: unknown }) => {
      for (const candidate of [value, damaged(value, where, other)]) {
        // An omitted query is an empty one.
        const checked = part === "query" ? (candidate ?? {}) : candidate;
        expect(contract.check(name, part, candidate).length === 0).toBe(fits(schema, checked));
      }
    };
    fc.assert(fc.property(given, judges), { numRuns: sized(15, 60) });
  });
});
