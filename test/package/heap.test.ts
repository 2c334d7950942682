import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, inject, test } from "vitest";

/**
 * What a small call in memory may take, in bytes: about as much as ky alone with its defaults. See docs/benchmarks.md.
 */
const BUDGET = 42_000;
const SCRIPT = "heap-of-a-call.mjs";

test(`a small call takes at most ${BUDGET / 1_000} KB of heap`, { timeout: 60_000 }, () => {
  const { project } = inject("packed");
  // Beside the installed tarball, so that it loads that.
  copyFileSync(resolve(import.meta.dirname, SCRIPT), join(project, SCRIPT));
  const nursery = ["--min-semi-space-size=256", "--max-semi-space-size=256"];
  const printed = execFileSync(process.execPath, ["--expose-gc", ...nursery, SCRIPT], {
    cwd: project,
    encoding: "utf8",
  });
  const bytes = Number(printed);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes, `a call takes ${Math.round(bytes)} bytes of heap`).toBeLessThanOrEqual(BUDGET);
});
