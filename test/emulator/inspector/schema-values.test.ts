import { expect, test } from "vitest";
import { startOf, valuesOf } from "../../../src/emulator/inspector/schema-values.js";

test("a form sends only what is entered, even for properties with names that every object inherits", () => {
  const properties = {
    constructor: { type: "integer" },
    toString: { type: "string" },
    season: { type: "integer", default: 2_026 },
  };
  const start = startOf({ properties });
  expect(valuesOf({ properties }, start)).toEqual({ season: 2_026 });
  expect(valuesOf({ properties }, { ...start, constructor: "7" })).toEqual({ constructor: 7, season: 2_026 });
});
