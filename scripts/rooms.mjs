// Writes docs/pictures/rooms.dot: the folders of src and the imports between them, from the source files.
//
//   node scripts/rooms.mjs           writes the file
//   node scripts/rooms.mjs --check   prints whether it is up to date
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const FILE = "docs/pictures/rooms.dot";
const IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** The room of a path below src. The two files beside the rooms are the entry point. */
function roomOf(path) {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "svc-sdk";
}

const imports = new Map();
for (const path of globSync("**/*.{ts,tsx}", { cwd: "src" }).sort()) {
  const file = path.replaceAll("\\", "/");
  const room = roomOf(file);
  const targets = imports.get(room) ?? new Set();
  imports.set(room, targets);
  for (const [, source] of readFileSync(join("src", path), "utf8").matchAll(IMPORT)) {
    const target = roomOf(normalize(join(dirname(file), source)).replaceAll("\\", "/"));
    // Every room may import the small functions.
    if (target !== room && target !== "shared" && target !== "errors") targets.add(target);
  }
}

/** Whether a room reaches another through others. Such an arrow says nothing new. */
function reachesThroughOthers(from, to) {
  const seen = new Set([from]);
  const waiting = [...imports.get(from)].filter((room) => room !== to);
  for (const room of waiting) {
    if (room === to) return true;
    if (seen.has(room)) continue;
    seen.add(room);
    waiting.push(...(imports.get(room) ?? []));
  }
  return false;
}

const rooms = [...imports.keys()].filter((room) => room !== "shared" && room !== "errors").sort();
const arrows = rooms.flatMap((from) =>
  [...imports.get(from)]
    .sort()
    .filter((to) => !reachesThroughOthers(from, to))
    .map((to) => `  "${from}" -> "${to}"`),
);
const text = [
  "// Written by scripts/rooms.mjs from the imports of src.",
  'digraph "The rooms of src and their imports" {',
  ...rooms.map((room) => `  "${room}"`),
  "",
  ...arrows,
  "}",
  "",
].join("\n");

if (process.argv.includes("--check")) console.log(JSON.stringify(readFileSync(FILE, "utf8") === text));
else writeFileSync(FILE, text);
