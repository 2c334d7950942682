import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../support/size.js";
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
 * How many random schemas each promise is tried with, per target. They are always the same, so that a rare fault of the
 * compiler fails no other change. To look for new faults:
 * `SCHEMA_RUNS=10000 npx vitest run --mode full test/agents/schema/properties`.
 */
const wanted = process.env["SCHEMA_RUNS"];
const RUNS = wanted ? { numRuns: Number(wanted) } : { numRuns: sized(10, 500, 2_000), seed: 1 };

const PROMISES: readonly (readonly [string, CompilerPromise])[] = [
  ["is accepted by the target", keepsTheRules],
  ["has a form of each value that the original accepts, which restores to it", reachesEachValue],
  ["accepts nothing that the original rejects, but for what the notes list", listsWhatItOpens],
  ["has each property of the original", losesNoProperty],
];

describe.each(TARGETS)("a schema compiled for %s", { timeout: 1_200_000 }, (target) => {
  test.each(PROMISES)("%s", (_, broken) => {
    fc.assert(
      fc.property(toolSchema, fc.nat(), (schema, seed) => {
        expect(broken(schema, target, seed)).toBeUndefined();
      }),
      RUNS,
    );
  });
});
