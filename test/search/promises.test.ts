import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BUGS } from "./planted.js";
import { promisesOf } from "./sentences.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const NOT_SEARCHED = "not searched";

/** The rows of docs/promises.md. */
const rows = readFileSync(`${root}/docs/promises.md`, "utf8")
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const page = section.slice(0, section.indexOf("\n")).replace(/^guide\//, "docs/guide/");
    const lines = [...section.matchAll(/^\| (.*) \| ([^|]*) \|$/gm)].slice(1);
    return lines.map(([, text = "", worlds = ""]) => ({ page, text: text.replaceAll("\\|", "|"), worlds }));
  });

test("docs/promises.md has every promise of the README and the guides, and no other", () => {
  expect(rows.map(({ page, text }) => ({ page, text }))).toEqual(promisesOf(root));
});

test("docs/promises.md names protocols that are searched, and each of them", () => {
  const named = new Set(rows.map(({ worlds }) => worlds).filter((worlds) => worlds !== NOT_SEARCHED));
  const searched = new Set<string>(BUGS.map(({ protocol }) => protocol));
  expect([...named].filter((name) => !searched.has(name))).toEqual([]);
  // No sentence promises budgets or settling in such words.
  expect([...searched].filter((name) => !named.has(name))).toEqual(["settling", "budgets"]);
});
