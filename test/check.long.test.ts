import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const output = (script: string) => execFileSync("npm", ["run", "--silent", script], { encoding: "utf8" });

// npm test checks only types, lint and format: the rest reads the types of all files once more.
test("no promise is dropped or misused", () => {
  expect(output("lint:all")).toContain("Found 0 warnings");
});

test("the types of the examples are right", () => {
  expect(output("typecheck:examples")).toBe("");
});

test("no file, export or dependency is unused", () => {
  expect(output("knip")).toBe("");
});
