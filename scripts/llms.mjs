// Writes llms.txt and llms-full.txt, for agents that read the package: the same README, guides and docs that people read.
// Run after scripts/types.mjs, as a part of the build.
import { readFileSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { TYPES } from "../tsup.config.ts";
import { version } from "./docs/entries.mjs";
import { GUIDES, TASKS, taskOf } from "./docs/outline.mjs";
import { print, readSurface } from "./docs/surface.mjs";

const surface = readSurface();
const pages = GUIDES.filter(({ category }) => category !== "The project");
const readme = pageText("README.md");
const entries = surface.map(({ name, exports }) => ({ name, exports: exports.filter(({ from }) => !from) }));

writeFileSync(
  "llms.txt",
  lines(
    `# svc-sdk ${version}\n`,
    `> ${paragraphOf(readme)}\n`,
    "All of what follows, and every type with its docs, is in [llms-full.txt](llms-full.txt), under the titles given here. The",
    "contract as OpenAPI 3.1: [dist/openapi.json](dist/openapi.json).",
    ...pages.flatMap(({ category, title, path }, index) => [
      ...(category === pages[index - 1]?.category ? [] : ["", `## ${category}`, ""]),
      `- [${title}](llms-full.txt): ${paragraphOf(pageText(path))}`,
    ]),
    "",
    "## API",
    "",
    ...entries.map(({ name, exports }) => `- [${name}](llms-full.txt): ${namesOf(exports)}`),
  ),
);

writeFileSync(
  "llms-full.txt",
  lines(
    readme,
    ...pages.map(({ path }) => pageText(path)),
    "# API\n",
    ...entries.flatMap(({ name, exports }) => [`## ${name}\n`, ...byTask(exports)]),
  ),
);

/** The declarations of an entry, grouped as on the site. */
function byTask(exports) {
  const groups = Map.groupBy(exports, ({ symbol }) => {
    const { fileName } = symbol.declarations[0].getSourceFile();
    return taskOf(relative(resolve(TYPES), fileName).replaceAll("\\", "/"));
  });
  return TASKS.filter((task) => groups.has(task)).flatMap((task) => [
    ...(groups.size > 1 ? [`### ${task.task}\n`] : []),
    // Longer than the fences inside.
    "````ts",
    ...valuesFirst(groups.get(task)).flatMap(({ symbol }) => print(symbol, "documented").map(compact)),
    "````\n",
  ]);
}

/** What is called before what it is called with. */
function valuesFirst(exports) {
  const [types, values] = [false, true].map((isValue) =>
    exports.filter(({ symbol }) => (symbol.valueDeclaration !== undefined) === isValue),
  );
  return [...values, ...types];
}

/** Says what is exported in half the room. */
function compact(declaration) {
  return declaration
    .replace(/^export (declare )?/m, "")
    .replace(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

/** What can be called, where it is few; the types would fill pages. */
function namesOf(exports) {
  const values = exports.filter(({ symbol }) => symbol.valueDeclaration !== undefined);
  return values.length > 20 ? `${exports.length} exports` : values.map(({ name }) => `\`${name}\``).join(", ");
}

function pageText(path) {
  return readFileSync(path, "utf8").replaceAll("\r", "");
}

/** The first paragraph below the title, on one line and without links. */
function paragraphOf(page) {
  const [, paragraph = ""] = /^# .+\n+((?:[^\n#|`-].*\n)+)/m.exec(page) ?? [];
  return paragraph
    .replaceAll("\n", " ")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim();
}

function lines(...parts) {
  return `${parts.join("\n").trimEnd()}\n`;
}
