import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BUGS } from "./planted.js";
import { NOT_SEARCHED, promisesOf, rowsOf } from "./sentences.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const rows = rowsOf(readFileSync(`${root}/docs/promises.md`, "utf8"));

test("docs/promises.md has every promise of the README and the guides, and no other", () => {
  const listed = rows.map(({ page, text }) => ({ page, text }));
  expect(listed, "After node scripts/promises.ts, name the worlds of new sentences.").toEqual(promisesOf(root));
});

test("docs/promises.md names protocols that are searched, and each of them", () => {
  const named = new Set(rows.map(({ worlds }) => worlds).filter((worlds) => worlds !== NOT_SEARCHED));
  const searched = new Set<string>(BUGS.map(({ protocol }) => protocol));
  expect([...named].filter((name) => !searched.has(name))).toEqual([]);
  // No sentence promises these in such words.
  expect([...searched].filter((name) => !named.has(name))).toEqual(["settling"]);
});
