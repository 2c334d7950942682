// The report of the public surface, one file per entry in docs/api, and the names that nobody has documented yet.
//
//   node scripts/api-report.mjs           writes the report; the list of undocumented names can only get shorter
//   node scripts/api-report.mjs --check   prints { changed, undocumented } as JSON: what differs, and how
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { print, readSurface, undocumented } from "./docs/surface.mjs";

const FOLDER = "docs/api";
const UNDOCUMENTED = `${FOLDER}/undocumented.txt`;

const surface = readSurface();
const reports = new Map(surface.map((entry) => [`${FOLDER}/${entry.slug}.d.ts`, reportOf(entry)]));
const bare = undocumented(surface);
const known = linesOf(UNDOCUMENTED);

if (process.argv.includes("--check")) {
  const unexplained = bare.filter((name) => !known.includes(name)).map((name) => `${name} has no doc`);
  const explained = known.filter((name) => !bare.includes(name)).map((name) => `${name} has a doc now, or is gone`);
  console.log(JSON.stringify({ changed: changes(), undocumented: [...unexplained, ...explained] }));
} else {
  mkdirSync(FOLDER, { recursive: true });
  for (const path of leftOver()) rmSync(path);
  for (const [path, text] of reports) writeFileSync(path, text);
  const shorter = existsSync(UNDOCUMENTED) ? bare.filter((name) => known.includes(name)) : bare;
  writeFileSync(UNDOCUMENTED, `${shorter.join("\n")}\n`);
}

function reportOf({ name, exports, helpers }) {
  const again = Map.groupBy(
    exports.filter(({ from }) => from !== undefined),
    ({ from }) => from,
  );
  const own = exports.filter(({ from }) => from === undefined);
  const parts = [
    `// What ${name} exports. Written by npm run api:update; what changes here changes for users.`,
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
  return [...differing, ...leftOver().map((path) => `${path} belongs to no entry any more`)];
}

/** Reports of entries that are gone. */
function leftOver() {
  if (!existsSync(FOLDER)) return [];
  const paths = readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`);
  return paths.filter((path) => path.endsWith(".d.ts") && !reports.has(path));
}

function linesOf(path) {
  return existsSync(path) ? readFileSync(path, "utf8").split(/\r?\n/).filter(Boolean) : [];
}
