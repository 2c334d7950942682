import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "svc-side-by-side-"));

/** Ends when both have started. */
const MEETS = `
const { existsSync, writeFileSync } = require("node:fs");
const [own, other] = process.argv.slice(2);
writeFileSync(own, "");
const timer = setInterval(() => {
  if (!existsSync(other)) return;
  clearInterval(timer);
  console.log(own + " has met " + other);
}, 10);
`;

beforeAll(() => {
  writeFileSync(join(folder, "meets.cjs"), MEETS);
  const scripts = {
    one: "node meets.cjs one other",
    other: "node meets.cjs other one",
    fails: `node -e "console.error('what is wrong'); process.exitCode = 3"`,
    dies: `node -e "process.kill(process.pid, 'SIGKILL')"`,
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function sideBySide(...scripts: readonly string[]) {
  const tool = resolve("scripts/side-by-side.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...scripts], { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("runs scripts at the same time, and prints what each says", () => {
  const { status, stdout, stderr } = sideBySide("one", "other");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.split("\n").sort()).toEqual(["", "one has met other", "other has met one"]);
});

test.each(["fails", "dies", "missing"])("fails if one of the scripts does: %s", (script) => {
  const { status, stdout, stderr } = sideBySide("one", script, "other");
  expect(status).toBe(1);
  expect(stdout).toContain("one has met other");
  if (script === "fails") expect(stdout).toContain("what is wrong");
  expect(stderr).toBe(`npm run ${script} failed.\n`);
});

test("fails without a script", () => {
  expect(sideBySide().status).toBe(1);
});
