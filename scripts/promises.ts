// Rewrites docs/promises.md with the promises of the README and the guides: node scripts/promises.ts
// Sentences keep the worlds that the page names for them; new ones are "not searched" until someone names a world.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { NOT_SEARCHED, promisesOf, rowsOf } from "../test/search/sentences.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = `${root}/docs/promises.md`;
const text = readFileSync(page, "utf8");
const known = new Map(rowsOf(text).map((row) => [row.text, row.worlds]));
const promises = promisesOf(root);
const sections = [...new Set(promises.map((promise) => promise.page))].map((name) => [
  `## ${name.replace("docs/guide/", "guide/")}`,
  "",
  "| Sentence | Worlds |",
  "|---|---|",
  ...promises
    .filter((promise) => promise.page === name)
    .map((promise) => `| ${promise.text.replaceAll("|", "\\|")} | ${known.get(promise.text) ?? NOT_SEARCHED} |`),
  "",
]);
writeFileSync(page, [text.slice(0, text.indexOf("## ")).trimEnd(), "", ...sections.flat()].join("\n"));
