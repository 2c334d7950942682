import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CompilerPromise,
  keepsTheRules,
  listsWhatItOpens,
  losesNoProperty,
  reachesEachValue,
} from "./promises.js";
import { toolSchema } from "./schemas.js";
import { TARGETS } from "./targets/index.js";

/**
 * How many random schemas each promise is tried with, per target: `SCHEMA_RUNS=10000` looks for new faults, with other schemas each
 * time. Without it the schemas are always the same, so that a rare fault of the compiler fails no other change.
 */
const { SCHEMA_RUNS } = process.env;
const RUNS = SCHEMA_RUNS === undefined ? { numRuns: 150, seed: 1 } : { numRuns: Number(SCHEMA_RUNS) };

const PROMISES: readonly (readonly [string, CompilerPromise])[] = [
  ["is accepted by the target", keepsTheRules],
  ["has a form of each value that the original accepts, which restores to it", reachesEachValue],
  ["accepts nothing that the original rejects, but for what the notes list", listsWhatItOpens],
  ["has each property of the original", losesNoProperty],
];

describe.each(TARGETS)("a schema compiled for %s", (target) => {
  test.each(PROMISES)("%s", (_, broken) => {
    fc.assert(
      fc.property(toolSchema, fc.nat(), (schema, seed) => {
        expect(broken(schema, target, seed)).toBeUndefined();
      }),
      RUNS,
    );
  });
});
