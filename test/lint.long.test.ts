import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

// npm test lints only the sources for promises, because the linter needs the types of all files for the rest.
test("no promise in tests and examples is dropped or misused", () => {
  expect(execFileSync("npm", ["run", "--silent", "lint:all"], { encoding: "utf8" })).toContain("Found 0 warnings");
});
