import { describe, expect, test } from "vitest";
import type { CatalogTool } from "../../../src/catalog/catalog.js";
import { checkLock, diffLock } from "../../../src/catalog/lock/diff-lock.js";
import { digestsOf } from "../../../src/catalog/lock/hash.js";
import { makeLock } from "../../../src/catalog/lock/lock-file.js";
import { describeDiff } from "../../../src/catalog/lock/report.js";

const tool = {
  slug: "ACME_CREATE_TASK",
  name: "Create a task",
  description: "Creates a task.",
  version: "20260101_00",
  is_deprecated: false,
  tags: [],
  input_parameters: { type: "object" },
  output_parameters: { type: "object" },
};

type Access = Pick<CatalogTool, "no_auth" | "scopes" | "scope_requirements">;

const catalogOf = (access: Access) => {
  const tools = [{ ...tool, ...access }];
  return {
    formatVersion: 1 as const,
    toolkits: [{ slug: "acme", name: "Acme", version: tool.version, tools, trigger_types: [] }],
  };
};

const either = (...any_of: string[]): Access => ({ scopes: any_of, scope_requirements: { all_of: [{ any_of }] } });

describe("a lockfile covers the access of a tool", () => {
  test.each<[string, Access, Access, string[]]>([
    ["one more scope", { scopes: ["a"] }, { scopes: ["a", "b"] }, ["  ! access narrowed now needs b"]],
    ["one scope less", { scopes: ["a", "b"] }, { scopes: ["a"] }, ["    access loosened no longer needs b"]],
    [
      "another scope",
      { scopes: ["a"] },
      { scopes: ["b"] },
      ["  ! access narrowed now needs b", "    access loosened no longer needs a"],
    ],
    ["an alternative", either("a"), either("a", "b"), ["    access loosened no longer needs a"]],
    ["an alternative less", either("a", "b"), either("a"), ["  ! access narrowed now needs a"]],
    [
      "scopes that are listed with alternatives",
      { scopes: ["a"], scope_requirements: null },
      either("a"),
      ["    access noted    has the same scopes, listed differently"],
    ],
    ["an account", { no_auth: true }, {}, ["  ! access narrowed now needs a connected account"]],
    ["no account", { no_auth: false }, { no_auth: true }, ["  ! access loosened can now be called without an account"]],
  ])("that now needs %s", async (_, before, after, lines) => {
    const [old, fresh] = [catalogOf(before), catalogOf(after)];
    const lock = await makeLock(old);
    expect(await checkLock(lock, fresh)).toMatchObject([{ kind: "moved", tool: tool.slug }]);
    // A locked version that is the latest, too, is reported once.
    expect(await checkLock(lock, fresh, fresh)).toMatchObject([{ kind: "moved", tool: tool.slug }]);
    expect(await checkLock(lock, old)).toEqual([]);
    const diffs = await diffLock(lock, [old], fresh);
    expect(diffs).toMatchObject([{ change: "changed", input: [], output: [] }]);
    // Without the tool's line and the total.
    expect(describeDiff(diffs).filter((line) => line.includes(" access "))).toEqual(lines);
  });

  test("with the change in the text that a reviewer reads", async () => {
    const lock = await makeLock(catalogOf({ no_auth: true, ...either("b", "a") }));
    expect(lock.tools[tool.slug]?.text).toMatchObject({
      no_auth: true,
      scopes: ["a", "b"],
      scope_requirements: { all_of: [{ any_of: ["a", "b"] }] },
    });
  });

  test("regardless of the order of scopes and alternatives, and of absent fields", async () => {
    const digest = async (access: Access) => (await digestsOf({ ...tool, ...access })).hash;
    const all_of = ["c", { any_of: ["a", "b"] }];
    const one = { scopes: ["a", "b", "c"], scope_requirements: { all_of } };
    const other = { scopes: ["c", "b", "a"], scope_requirements: { all_of: [{ any_of: ["b", "a"] }, "c"] } };
    expect(await digest(one)).toBe(await digest(other));
    expect(await digest({ no_auth: false, scopes: [], scope_requirements: null })).toBe(await digest({}));
  });
});
