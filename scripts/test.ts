// npm test: the build, if a source has changed, types, lint and format, then the tests. With arguments, only these tests:
// npm test -- test/client/call. A file of src means the tests of the folder that mirrors its own.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import build from "../test/package/build.ts";
import { testsFor } from "./dev.ts";

const given = process.argv.slice(2);
if (given.length === 0) {
  build();
  run("npm", ["run", "--silent", "check:quick"]);
}
// A filter is a part of a path: test/cli would run test/client too.
const isFolder = (word: string) => statSync(word, { throwIfNoEntry: false })?.isDirectory() === true;
const filters = given
  .flatMap((word) => (word.startsWith("src/") ? testsFor([word]) : [word]))
  .map((word) => (isFolder(word) && !word.endsWith("/") ? `${word}/` : word));
// Files that only the long run has.
const mode = given.some((word) => /\.long\./.test(word)) ? ["--mode", "long"] : [];
run("vitest", ["run", ...mode, ...filters]);

/** Runs a command, and ends as it does if it fails. */
function run(command: string, parameters: readonly string[]): void {
  const { status } = spawnSync(command, parameters, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
}
