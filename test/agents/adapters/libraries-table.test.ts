import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GUIDES, TURN_ADAPTERS } from "../every-adapter.js";

const RUN = "run npm run write";
const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const installed = (path: string) => JSON.parse(textOf(path));

/** A page with other rows in a table, which its head finds. */
function withRows(path: string, head: string, rows: readonly string[]): string {
  const [before, after] = textOf(path).split(`\n${head}\n`);
  if (before === undefined || after === undefined) throw new Error(`${path} lacks the table ${head}.`);
  return `${before}\n${head}\n${rows.join("\n")}\n${after.replace(/^(\|.*\n)+/, "")}`;
}

test("agents.md lists each library with the version that is tested and the oldest one", async () => {
  const tested = {
    ...installed("package.json").devDependencies,
    ...installed("test/programs/agents/package.json").dependencies,
  };
  const oldest = { ...tested, ...installed("test/programs/oldest-agents/package.json").dependencies };
  const rows = GUIDES.map(({ page, title, packages }) => {
    const names = packages.map((name) => `\`${name}\``);
    const cells = [names, packages.map((name) => tested[name]), packages.map((name) => oldest[name])];
    return `| ${[`[${title}](${page}.md)`, ...cells.map((cell) => cell.join(", "))].join(" | ")} |`;
  });
  const missing = GUIDES.flatMap(({ packages }) => packages.filter((name) => !(name in tested)));
  expect(missing, "packages to install: docs/contributing.md, Adding an adapter").toEqual([]);
  const written = withRows("docs/guide/agents.md", "| Guide | Library | Version | Oldest |\n|---|---|---|---|", rows);
  await expect(written, RUN).toMatchFileSnapshot("../../../docs/guide/agents.md");
});

test("many-tools.md has each adapter that can defer tools, with who searches and the maximum", () => {
  const page = textOf("docs/guide/many-tools.md");
  for (const [name, { mostTools, search }] of Object.entries(TURN_ADAPTERS)) {
    const [row = ""] = new RegExp(`^\\| \`${name}\` \\|.*$`, "m").exec(page) ?? [];
    expect(row, `the row of ${name} in docs/guide/many-tools.md`).toContain(mostTools.toLocaleString("en-US"));
    expect(row.includes("`find_tools`"), `find_tools in the row of ${name}`).toBe(search === "find_tools");
  }
});

test("the index of the guides lists each library", async () => {
  const rows = GUIDES.map(({ page, title, about }) => `| [${title}](${page}.md) | ${about} |`);
  const written = withRows("docs/guide/README.md", "## Model libraries\n\n| Guide | About |\n|---|---|", rows);
  await expect(written, RUN).toMatchFileSnapshot("../../../docs/guide/README.md");
});

test("the list of examples has each library's", async () => {
  // The examples of MCP are servers, and have a row of their own.
  const links = GUIDES.filter(({ entry }) => entry !== "mcp").map(({ entry }) => `[${entry}.ts](agents/${entry}.ts)`);
  const written = textOf("examples/README.md").replace(
    /^\| Give tools to a model, with each library \|.*$/m,
    `| Give tools to a model, with each library | ${links.join(", ")} |`,
  );
  expect(written).toContain(links.join(", "));
  await expect(written, RUN).toMatchFileSnapshot("../../../examples/README.md");
});
