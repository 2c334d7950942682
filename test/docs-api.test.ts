import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

interface Report {
  /** Per entry that differs from its file in generated/api: the file, and the lines that went and came. */
  readonly changed: readonly string[];
  /** Exports, and members of them, without a doc. */
  readonly undocumented: readonly string[];
}

const printed = execFileSync(process.execPath, ["scripts/api-report.mjs", "--check"], { encoding: "utf8" });
const { changed, undocumented } = JSON.parse(printed) as Report;

test("the public surface is the reported one in generated/api", () => {
  const advice = "Is the change meant? Then run npm run docs:api, read its diff, and tell users in CHANGELOG.md.";
  expect(changed, `${advice}\n\n${changed.join("\n\n")}`).toEqual([]);
});

test("every export and every member of one has a doc", () => {
  const advice = "Write a doc above each, then build: it is read from the declarations.";
  expect(undocumented, `${advice}\n\n${undocumented.join("\n")}`).toEqual([]);
});
