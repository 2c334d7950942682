import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { diffLines } from "../../../src/cli/migrate/diff.js";
import { CALL_OPTIONS, OPTIONS } from "../../../src/cli/migrate/names.js";
import { programs } from "./golden.js";
import { methodTables } from "./guide.js";

const page = readFileSync("docs/guide/migrating.md", "utf8");
const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
  title.toLowerCase().replaceAll(/[^\w]+/g, "-"),
);

describe("the guide to migrating", () => {
  test.each(methodTables().map((table) => [table.split("\n")[0], table]))("has the methods of %s", (_title, table) => {
    expect(page).toContain(`\n${table}\n`);
  });

  test("shows the diff that the command prints", () => {
    const name = "01-first-call.ts";
    const diff = diffLines(name, programs("before").get(name) ?? "", programs("after").get(name) ?? "");
    expect(page).toContain(`\`\`\`\n${diff.join("\n")}\n\`\`\`\n`);
  });

  test("has every section that a comment refers to", () => {
    const comments = [...programs("after").values()].flatMap((text) => text.match(/(?<=migrating\.md#)[\w-]+/g) ?? []);
    expect([...new Set(comments)].filter((section) => !headings.includes(section))).toEqual([]);
    expect(new Set(comments)).toContain("webhooks");
  });

  test("has the options that have another name", () => {
    const renamed = Object.entries({ ...OPTIONS, ...CALL_OPTIONS }).filter(
      ([old, name]) => /^\w+$/.test(name) && name !== old,
    );
    for (const [old, name] of renamed) expect(page).toContain(`| \`${old}\` | \`${name}\``);
  });
});
