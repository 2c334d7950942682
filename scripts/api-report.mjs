// The report of the public surface, one file per entry in scripts/api.
//
//   node scripts/api-report.mjs           writes the report
//   node scripts/api-report.mjs --check   prints { changed, undocumented } as JSON: what differs, and what has no doc
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { print, readSurface, undocumented } from "./docs/surface.mjs";

const FOLDER = "scripts/api";

const surface = readSurface();
const reports = new Map(surface.map((entry) => [`${FOLDER}/${entry.slug}.d.ts`, reportOf(entry)]));

if (process.argv.includes("--check")) {
  console.log(JSON.stringify({ changed: changes(), undocumented: undocumented(surface) }));
} else {
  mkdirSync(FOLDER, { recursive: true });
  for (const path of leftOver()) rmSync(path);
  for (const [path, text] of reports) writeFileSync(path, text);
}

function reportOf({ name, exports, helpers }) {
  const again = Map.groupBy(
    exports.filter(({ from }) => from !== undefined),
    ({ from }) => from,
  );
  const own = exports.filter(({ from }) => from === undefined);
  const parts = [
    `// What ${name} exports. Written by npm run docs:api; what changes here changes for users.`,
    ...[...again].map(
      ([from, names]) => `export {\n${names.map((one) => `    ${one.name},\n`).join("")}} from "${from}";`,
    ),
    ...own.flatMap(({ symbol }) => print(symbol, "bare")),
    ...(helpers.length > 0 ? ["// Not exported, but exports are made of it."] : []),
    ...helpers.flatMap(({ symbol }) => print(symbol, "bare")),
  ];
  return `${parts.join("\n\n")}\n`;
}

function changes() {
  const differing = [...reports].flatMap(([path, text]) => {
    const [before, now] = [linesOf(path), text.split("\n").filter(Boolean)];
    const gone = before.filter((line) => !now.includes(line)).map((line) => `- ${line.trim()}`);
    const added = now.filter((line) => !before.includes(line)).map((line) => `+ ${line.trim()}`);
    const isSame = existsSync(path) && readFileSync(path, "utf8").replaceAll("\r", "") === text;
    return isSame ? [] : [[path, ...gone, ...added].slice(0, 12).join("\n")];
  });
  return [...differing, ...leftOver().map((path) => `${path} no longer belongs to an entry`)];
}

/** Reports of entries that are gone. */
function leftOver() {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .map((name) => `${FOLDER}/${name}`)
    .filter((path) => !reports.has(path));
}

function linesOf(path) {
  return existsSync(path) ? readFileSync(path, "utf8").split(/\r?\n/).filter(Boolean) : [];
}
