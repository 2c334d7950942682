import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** What a run of these test files prints with our reporter alone. */
async function summaryOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "svc-summary-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.js`), code);
  const vitest = [resolve("node_modules/vitest/vitest.mjs"), "run", "--globals", "--root", folder];
  const reporter = ["--reporter", resolve("scripts/plain-summary.mjs")];
  const printed = await new Promise<string>((done) => {
    execFile(process.execPath, [...vitest, ...reporter], { cwd: folder }, (_error, stdout) => done(stdout));
  });
  return printed.trimEnd().split("\n");
}

test("ends with a line that counts passed and failed tests, and files that can't be loaded as failures", async () => {
  const lines = await summaryOf({
    good: 'test("one", () => {}); test("two", () => {}); test.skip("three", () => {});',
    bad: 'test("four", () => { throw new Error("no"); });',
    broken: 'throw new Error("not loaded");',
  });
  expect(lines).toContain("skipped: three");
  expect(lines.slice(-2)).toEqual(["1 skipped", "2 passed, 2 failed"]);
});

test("lists the ten slowest files, the slowest first", async () => {
  const files = Array.from({ length: 11 }, (_, index) => [`file-${index}`, 'test("is quick", () => {});']);
  const lines = await summaryOf(Object.fromEntries(files));
  const listed = lines.slice(lines.indexOf("The slowest files, in seconds:") + 1, -1);
  expect(listed).toEqual(Array(10).fill(expect.stringMatching(/^ +\d+\.\d {2}file-\d+\.test\.js$/)));
  const seconds = listed.map((line) => Number.parseFloat(line));
  expect(seconds).toEqual(seconds.toSorted((one, other) => other - one));
});
