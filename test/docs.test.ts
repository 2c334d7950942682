import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const pages = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).map((path) => join("docs", path)),
].filter((path) => path.endsWith(".md"));
const regions = readdirSync("examples", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) => [
    ...readFileSync(join("examples", path), "utf8").matchAll(/\/\/ #region \S+\n([\s\S]*?)\/\/ #endregion/g),
  ])
  .map(([, code]) => code);

describe.each(pages)("%s", (page) => {
  const text = readFileSync(page, "utf8");

  test("shows only code that is a region of an example", () => {
    const fences = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
    expect(fences.filter((code) => !regions.includes(code))).toEqual([]);
  });

  test("links only to pages, files and headings that are there", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path = "", heading]) => ({
      target: path === "" ? page : join(dirname(page), path),
      heading,
    }));
    const dead = links.filter(
      ({ target, heading }) => !existsSync(target) || !(heading === undefined || hasHeading(target, heading)),
    );
    expect(dead).toEqual([]);
  });
});

test("every assumption that the code cites is written down, and every one written down is cited", () => {
  const cited = new Set(
    readdirSync("src", { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .flatMap((path) =>
        [...readFileSync(join("src", path), "utf8").matchAll(/\bassumptions? ([A-Z]\d+)\b/g)].map(([, id]) => id),
      ),
  );
  const written = [...readFileSync("docs/assumptions.md", "utf8").matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, id]) => id);
  expect([...cited].sort()).toEqual([...written].sort());
});

test("the README fits one screen and a half", () => {
  expect(readFileSync("README.md", "utf8").split("\n").length).toBeLessThan(105);
});

/** Whether a page has a heading under the name that GitHub gives it in links. */
function hasHeading(page: string, name: string): boolean {
  const text = readFileSync(page, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  const slugs = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );
  return slugs.includes(name);
}
