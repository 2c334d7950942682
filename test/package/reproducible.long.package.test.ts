import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("two builds in two folders create the same tarball, byte for byte", {
  timeout: 600_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/reproducible.mjs"], { encoding: "utf8" });
  expect(stdout).toMatch(/same tarball: sha256 [0-9a-f]{64}/);
});
