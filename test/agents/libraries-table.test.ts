import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GUIDES } from "./every-adapter.js";

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const installed = (path: string) => JSON.parse(textOf(path));

test("agents.md lists each library with the version that is tested and the oldest one", async () => {
  const tested = {
    ...installed("package.json").devDependencies,
    ...installed("test/programs/agents/package.json").dependencies,
  };
  const oldest = installed("test/programs/oldest-agents/package.json").dependencies;
  const index = textOf("docs/guide/README.md");
  const rows = GUIDES.map(({ page, packages }) => {
    const [link] = new RegExp(`\\[[^\\]]+\\]\\(${page}\\.md\\)(?= \\|)`).exec(index) ?? [];
    const names = packages.map((name) => `\`${name}\``);
    const cells = [names, packages.map((name) => tested[name]), packages.map((name) => oldest[name])];
    return `| ${[link, ...cells.map((cell) => cell.join(", "))].join(" | ")} |`;
  });
  const advice = "name the guide in docs/guide/README.md, and the packages in both manifests above";
  expect(rows.join("\n"), advice).not.toContain("undefined");
  const table = /(?<=\n\| Guide \| Library \| Version \| Oldest \|\n\|---\|---\|---\|---\|\n)(\|.*\n)+/;
  const written = textOf("docs/guide/agents.md").replace(table, `${rows.join("\n")}\n`);
  expect(written).toContain(rows.join("\n"));
  await expect(written, "run npm run write").toMatchFileSnapshot("../../docs/guide/agents.md");
});
