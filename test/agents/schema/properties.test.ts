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
 * How many random schemas each promise is tried with, per target. The long run looks for new faults, with other schemas each time.
 * Otherwise the schemas are always the same, so that a rare fault of the compiler fails no other change.
 */
const RUNS = sized({ numRuns: 150, seed: 1 }, { numRuns: 10_000 });

const PROMISES: readonly (readonly [string, CompilerPromise])[] = [
  ["is accepted by the target", keepsTheRules],
  ["has a form of each value that the original accepts, which restores to it", reachesEachValue],
  ["accepts nothing that the original rejects, but for what the notes list", listsWhatItOpens],
  ["has each property of the original", losesNoProperty],
];

describe.each(TARGETS)("a schema compiled for %s", { timeout: sized(60_000, 1_200_000) }, (target) => {
  test.each(PROMISES)("%s", (_, broken) => {
    fc.assert(
      fc.property(toolSchema, fc.nat(), (schema, seed) => {
        expect(broken(schema, target, seed)).toBeUndefined();
      }),
      RUNS,
    );
  });
});
