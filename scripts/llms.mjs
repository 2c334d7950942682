// Writes dist/llms.txt and dist/llms-reference.txt, for agents that read the package. The first links each guide. The
// second contains the signatures of functions, and all options. Other types are only named: their declarations are in
// files next to these. The last part of the build.
//
//   node scripts/llms.mjs [folder] [--site]   with --site, links lead to pages of the site
import { readFileSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { version } from "./docs/entries.mjs";
import { GROUPS, TASKS, taskOf } from "./docs/outline.mjs";
import { print, readSurface } from "./docs/surface.mjs";
import { TYPES } from "./entries.ts";

const BUILT = "dist";
const [, , folder = BUILT, audience] = process.argv;
const isSite = audience === "--site";
/** Where entries leave their names only: what the contract exports are the schemas of the records. */
const NAMED_ONLY = "svc-sdk/contract";

const readme = pageText("README.md");
const linkOf = (path) => (isSite ? path.replace(/^docs\//, "").replace(/\.md$/, ".html") : `../${path}`);
const entries = readSurface().map(({ name, types, exports }) => ({
  name,
  types: relative(BUILT, types),
  exports: exports.filter(({ from }) => from === undefined),
}));

writeFileSync(
  `${folder}/llms.txt`,
  lines(
    `# svc-sdk ${version}\n`,
    `> ${paragraphOf(readme)}\n`,
    "Start with the guide for your task. [llms-reference.txt](llms-reference.txt) has the signatures of all functions and their",
    "options. The declaration files of the entries have every type with its docs. `svc-sdk/openapi.json` is the contract as OpenAPI 3.1.",
    ...GROUPS.flatMap(({ title: group, pages }) => [
      `\n## ${group}\n`,
      ...pages.map(({ title, summary, path }) => `- [${title}](${linkOf(path)}): ${summary}`),
    ]),
    "\n## Entries\n",
    ...entries.map(
      ({ name, types, exports }) => `- ${isSite ? `\`${name}\`` : `[${name}](${types})`}: ${summaryOf(exports)}`,
    ),
  ),
);

writeFileSync(
  `${folder}/llms-reference.txt`,
  lines(
    `# Functions and options of svc-sdk ${version}\n`,
    ...entries.flatMap(({ name, types, exports }) => [
      `## ${name}\n`,
      `Declared, with docs, in ${types}.\n`,
      ...(name === NAMED_ONLY ? [`${namesOf(exports)}.\n`] : byTask(exports)),
    ]),
  ),
);

/** The declarations of an entry, grouped as on the site. */
function byTask(exports) {
  const groups = Map.groupBy(exports, ({ symbol }) => taskOf(sourceOf(symbol)));
  return TASKS.filter((task) => groups.has(task)).flatMap((task) => {
    const [values, types] = partition(groups.get(task), ({ symbol }) => symbol.valueDeclaration !== undefined);
    const [options, others] = partition(types, ({ name }) => name.endsWith("Options"));
    const shown = [
      ...values.flatMap(({ symbol }) => print(symbol, "bare")),
      ...options.flatMap(({ symbol }) => print(symbol, "documented")),
    ].map(compact);
    return [
      ...(groups.size > 1 ? [`### ${task.task}\n`] : []),
      // In a fence that is longer than those inside.
      ...(shown.length > 0 ? ["````ts", ...shown, "````\n"] : []),
      ...(others.length > 0 ? [`Types: ${namesOf(others)}.\n`] : []),
    ];
  });
}

function sourceOf(symbol) {
  return relative(resolve(TYPES), symbol.declarations[0].getSourceFile().fileName).replaceAll("\\", "/");
}

/** Says what is exported in half the room. */
function compact(declaration) {
  return declaration
    .replace(/^export (declare )?/m, "")
    .replace(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

/** The callable members of an export, if they are few. */
function summaryOf(exports) {
  const values = exports.filter(({ symbol }) => symbol.valueDeclaration !== undefined);
  return values.length > 20 ? `${exports.length} exports` : namesOf(values);
}

function namesOf(exports) {
  return exports.map(({ name }) => `\`${name}\``).join(", ");
}

/** A page without its pictures, and without links to pages that are not in the package. */
function pageText(path) {
  return readFileSync(path, "utf8")
    .replaceAll("\r", "")
    .replace(/^!\[.*\n\n?/gm, "")
    .replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, "$1");
}

/** The first paragraph below the title, on one line. */
function paragraphOf(page) {
  const [, paragraph = ""] = /^# .+\n+((?:[^\n#|`-].*\n)+)/m.exec(page) ?? [];
  return paragraph.replaceAll("\n", " ").trim();
}

function partition(values, isFirst) {
  return [values.filter((value) => isFirst(value)), values.filter((value) => !isFirst(value))];
}

function lines(...parts) {
  return `${parts.join("\n").trimEnd()}\n`;
}
