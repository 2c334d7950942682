import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The public surface: `npm run write` writes it before the page. */
const report = readFileSync("scripts/api/stores.d.ts", "utf8");
const page = readFileSync("docs/guide/own-store.md", "utf8");

/** The functions that return this interface, or one that extends it. */
function storesOf(kind: string): string {
  const extending = [...report.matchAll(new RegExp(`^export interface (\\w+)\\b.* extends ${kind} `, "gm"))];
  const kinds = [kind, ...extending.map(([, name]) => name)].join("|");
  const made = [...report.matchAll(new RegExp(`^export declare function (\\w+).*: (?:${kinds})\\b[^:]*;$`, "gm"))];
  return made.map(([, name]) => `\`${name}\``).join(", ");
}

const KINDS = ["Dedupe", "Execution", "Approval", "Budget", "RateLimit"].map((kind) => `${kind}Store`);

test("the README and own-store.md name each database that has a store", () => {
  const names = KINDS.flatMap((kind) => [...storesOf(kind).matchAll(/`([a-z]+)/g)].map(([, name]) => String(name)));
  expect(names).toContain("postgres");
  const [inReadme = ""] = /^\| `svc-sdk\/stores` \|.*$/m.exec(readFileSync("README.md", "utf8")) ?? [];
  const [inGuide = ""] = /^`svc-sdk\/stores` contains [^.]*\./m.exec(page) ?? [];
  for (const place of [inReadme, inGuide]) {
    const missing = [...new Set(names)].filter((name) => !place.toLowerCase().includes(name));
    expect(missing, `databases to name in: ${place}`).toEqual([]);
  }
});

test("own-store.md lists the stores of each interface that the package has", async () => {
  const rows = /(?<=\n\| Interface \| .*\n\|[-|]*\n)(?:\| `\w+Store` \|.*\n)+/;
  const written = page.replace(rows, (found) =>
    found.replaceAll(/^\| `(\w+)` \|(.*\|) [^|]*\|$/gm, (_, kind: string, cells: string) => {
      return `| \`${kind}\` |${cells} ${storesOf(kind)} |`;
    }),
  );
  for (const kind of KINDS) {
    expect(storesOf(kind), kind).toMatch(/`redis.*`|`postgres.*`/);
  }
  await expect(written, "run npm run write").toMatchFileSnapshot("../../docs/guide/own-store.md");
});
