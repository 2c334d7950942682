import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

test("the quickstart tells its story against the built package, and ends by itself", { timeout: 30_000 }, async () => {
  const { stdout } = await run(process.execPath, ["scripts/quickstart.mjs"], { encoding: "utf8" });
  expect(stdout).toContain("Developer <developer@example.com>");
  expect(stdout).toMatch(/ac_[\w-]{12}, OAUTH2, managed: true/);
  expect(stdout).toMatch(/GITHUB_CREATE_AN_ISSUE +20251023_00/);
  expect(stdout).toContain("https://github.example.com/octo-org/hello-world/issues/1");
  expect(stdout).toContain("ToolVersionRequiredError");
  expect(stdout).toContain("did you mean GITHUB_CREATE_AN_ISSUE?");
  expect(stdout).toMatch(/answered 429\n +answered 200\n +succeeded at attempt 2/);
});

test("the README's snippets run", async () => {
  const { stdout } = await run(process.execPath, ["examples/readme.ts"], { encoding: "utf8" });
  expect(stdout).toContain("https://github.example.com/octo-org/hello-world/issues/1");
  expect(stdout).toContain("did you mean GITHUB_CREATE_AN_ISSUE?");
  expect(stdout.trimEnd().split("\n").slice(-2)).toEqual(["2", "405"]);
});
