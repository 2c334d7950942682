// Runs after tsup. The bundler declares what a namespace exports as types only: a schema, which is a value and a type of
// one name, would lose its value. Adds the values to dist/contract.d.ts.
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "dist/contract.d.ts";
const text = readFileSync(FILE, "utf8");
let added = 0;
const complete = text
  .replace(/^type (shapes_d_\w+) = (\w+);$/gm, (type, name, target) => {
    if (!new RegExp(`^declare const ${target}\\b`, "m").test(text)) return type;
    added += 1;
    return `${type}\ndeclare const ${name}: typeof ${target};`;
  })
  .replace(/^( +)export type (\{ shapes_d_)/m, "$1export $2");
if (added < 100) throw new Error(`${FILE}: only ${added} schemas were found. The bundler's output may have changed.`);
writeFileSync(FILE, complete);
