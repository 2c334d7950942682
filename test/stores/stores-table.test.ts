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

test("own-store.md lists the stores of each interface that the package has", async () => {
  const rows = /(?<=\n\| Interface \| .*\n\|[-|]*\n)(?:\| `\w+Store` \|.*\n)+/;
  const written = page.replace(rows, (found) =>
    found.replaceAll(/^\| `(\w+)` \|(.*\|) [^|]*\|$/gm, (_, kind: string, cells: string) => {
      return `| \`${kind}\` |${cells} ${storesOf(kind)} |`;
    }),
  );
  for (const kind of ["Dedupe", "Execution", "Approval", "Budget", "RateLimit"]) {
    expect(storesOf(`${kind}Store`), kind).toMatch(/`redis.*`|`postgres.*`/);
  }
  await expect(written, "run npm run write").toMatchFileSnapshot("../../docs/guide/own-store.md");
});
