import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BUGS } from "./bugs.js";

test("has every planted bug in exactly one place of its file", () => {
  const misplaced = BUGS.filter(({ file, find }) => readFileSync(file, "utf8").split(find).length !== 2);
  expect(misplaced.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
});

test("has sixty different bugs, and some in every folder of src", () => {
  expect(new Set(BUGS.map(({ file, find }) => `${file} ${find}`)).size).toBe(60);
  const folders = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const planted = new Set(BUGS.map(({ file }) => file.split("/")[1]));
  expect(folders.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
});
