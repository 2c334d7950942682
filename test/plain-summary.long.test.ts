import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tooLargeOf } from "../scripts/plain-summary.ts";

/**
 * What a run of these test files prints with our reporter alone.
 *
 * @param endAfter - The run is ended once it has printed this.
 */
async function summaryOf(files: Readonly<Record<string, string>>, endAfter?: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "svc-summary-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.js`), code);
  const setup = JSON.stringify(resolve("test/support/cpu-of-file.ts"));
  writeFileSync(join(folder, "vitest.config.mjs"), `export default { test: { setupFiles: [${setup}] } };`);
  const vitest = [resolve("node_modules/vitest/vitest.mjs"), "run", "--globals", "--no-isolate", "--root", folder];
  const reporter = ["--reporter", resolve("scripts/plain-summary.ts")];
  const printed = await new Promise<string>((done) => {
    const run = execFile(process.execPath, [...vitest, ...reporter], { cwd: folder }, (_error, stdout) => done(stdout));
    let stdout = "";
    run.stdout?.on("data", (text) => {
      stdout += text;
      if (endAfter !== undefined && stdout.includes(endAfter)) run.kill("SIGTERM");
    });
  });
  return printed.trimEnd().split("\n");
}

test("ends with the files that cost most, the time, and the passed and failed tests, files that can't be loaded too", async () => {
  const quick = Array.from({ length: 9 }, (_, index) => [`file-${index}`, 'test("is quick", () => {});']);
  const lines = await summaryOf({
    ...Object.fromEntries(quick),
    good: 'test("one", () => {}); test("two", () => {}); test.skip("three", () => {});',
    bad: 'test("four", () => { throw new Error("no"); });',
    broken: 'throw new Error("not loaded");',
  });
  expect(lines).toContain("skipped: three");
  expect(lines.slice(-3)).toEqual([
    expect.stringMatching(/^tests: \d+ s, [1-9]\d* CPU s$/),
    "1 skipped",
    "11 passed, 2 failed",
  ]);
  const listed = lines.slice(lines.indexOf("The files that cost most, in CPU seconds:") + 1, -3);
  expect(listed).toEqual(Array(10).fill(expect.stringMatching(/^ +\d+\.\d {2}[\w-]+\.test\.js$/)));
  const seconds = listed.map((line) => Number.parseFloat(line));
  expect(seconds).toEqual(seconds.toSorted((one, other) => other - one));
});

test("names the tests that are running when it's ended", async (context) => {
  context.skip(process.platform === "win32", "Windows has no SIGTERM");
  // A reporter is told of a test some time after its start.
  const write = 'setInterval(() => process.stdout.write(".\\n"), 10)';
  const hangs = `test("ends", () => {}); test("hangs", () => { ${write}; return new Promise(() => {}); });`;
  expect(await summaryOf({ hangs }, ".\n".repeat(50))).toContain("running: hangs.test.js > hangs");
});

test("fails a file that costs more than 3 % of a run of many files", () => {
  const costs = (large: number, files: number) =>
    Array.from({ length: files }, (_, index) => ({ path: `file-${index}`, ms: index === 7 ? large : 100 }));
  expect(tooLargeOf(costs(700, 300)).map(({ path }) => path)).toEqual([]);
  expect(tooLargeOf(costs(1_000, 300)).map(({ path }) => path)).toEqual(["file-7"]);
  expect(tooLargeOf(costs(1_000, 10))).toEqual([]);
});
