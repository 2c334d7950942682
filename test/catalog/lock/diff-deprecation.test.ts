import { expect, test } from "vitest";
import type { CatalogTool } from "../../../src/catalog/catalog.js";
import { diffLock } from "../../../src/catalog/lock/diff-lock.js";
import { makeLock } from "../../../src/catalog/lock/lock-file.js";
import { describeDiff } from "../../../src/catalog/lock/report.js";

const tool: CatalogTool = {
  slug: "ACME_CREATE_TASK",
  name: "Create a task",
  description: "Creates a task.",
  version: "20260101_00",
  is_deprecated: false,
  input_parameters: { type: "object" },
  output_parameters: { type: "object" },
};

const catalogOf = (facts: Partial<CatalogTool>) => {
  const version = facts.version ?? tool.version;
  const toolkit = { slug: "acme", name: "Acme", version, tools: [{ ...tool, ...facts }], trigger_types: [] };
  return { formatVersion: 1 as const, toolkits: [toolkit] };
};

const NEWER = { version: "20260301_00" };
const MATCH = ["The latest versions match the lockfile."];

test("a diff lists a tool as deprecated if its description changed with it", async () => {
  const old = catalogOf({});
  const fresh = catalogOf({ ...NEWER, is_deprecated: true, description: "Deprecated." });
  const diffs = await diffLock(await makeLock(old), [old], fresh);
  expect(diffs).toMatchObject([{ change: "reworded", becameDeprecated: true, breaks: false }]);
  expect(describeDiff(diffs)).toContain("      is now deprecated");
});

test("a diff doesn't list a tool that is no longer deprecated", async () => {
  const old = catalogOf({ is_deprecated: true });
  expect(describeDiff(await diffLock(await makeLock(old), [old], catalogOf(NEWER)))).toEqual(MATCH);
});

test("a diff doesn't list a tool with the locked schemas if the locked version is gone", async () => {
  const lock = await makeLock(catalogOf({}));
  expect(describeDiff(await diffLock(lock, [], catalogOf(NEWER)))).toEqual(MATCH);
});
