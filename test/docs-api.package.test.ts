import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Report {
  /** Per entry that differs from its file in scripts/api: the file, and the lines that went and came. */
  readonly changed: readonly string[];
  /** Exports, and members of them, without a doc. */
  readonly undocumented: readonly string[];
}

const printed = execFileSync(process.execPath, ["scripts/api-report.mjs", "--check"], { encoding: "utf8" });
const { changed, undocumented } = JSON.parse(printed) as Report;

test("the public surface is the reported one in scripts/api", () => {
  const advice = "Is the change meant? Then run npm run write, read its diff, and tell users in CHANGELOG.md.";
  expect(changed, `${advice}\n\n${changed.join("\n\n")}`).toEqual([]);
});

test("every export and every member of one has a doc", () => {
  const advice = "Write a doc above each, then build: it is read from the declarations.";
  expect(undocumented, `${advice}\n\n${undocumented.join("\n")}`).toEqual([]);
});

test("no two entries export one name with two declarations", () => {
  const entriesOf = new Map<string, string[]>();
  for (const file of readdirSync("scripts/api")) {
    const [exported = ""] = readFileSync(`scripts/api/${file}`, "utf8").split("// Not exported,");
    const own = exported.matchAll(/^export (?:declare )?(?:abstract )?(?:class|const|function|interface|type) (\w+)/gm);
    for (const name of new Set([...own].map(([, one = ""]) => one))) {
      entriesOf.set(name, [...(entriesOf.get(name) ?? []), file]);
    }
  }
  expect(entriesOf.size).toBeGreaterThan(300);
  expect([...entriesOf].filter(([, files]) => files.length > 1)).toEqual([]);
});
