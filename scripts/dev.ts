// Watches, and runs the tests of the folders that mirror the changed files: npm run dev. With arguments, such as
// test/client, runs those instead.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** Files that differ from the last commit, untracked ones included. */
function changedFiles(): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
  return [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
}

/**
 * The test files and folders for changed files. `test/` mirrors `src/`: the tests for `src/client/call/retry.ts` are in
 * `test/client/call`, or in `test/client` if there is no such folder.
 */
export function testsFor(files: readonly string[]): string[] {
  const tests = files.flatMap((file) => {
    if (file.startsWith("test/")) return /\.test\.ts$/.test(file) ? [file] : mirrored(dirname(file));
    return file.startsWith("src/") ? mirrored(dirname(file).replace(/^src/, "test")) : [];
  });
  return [...new Set(tests)].sort();
}

/** The deepest folder below `test/` on this path that has tests, or the test file beside the first one. */
function mirrored(folder: string): string[] {
  if (folder === "test") return [];
  if (globSync(`${folder}/**/*.test.ts`).length > 0) return [`${folder}/`];
  const parent = dirname(folder);
  if (parent !== "test") return mirrored(parent);
  return existsSync(`${folder}.test.ts`) ? [`${folder}.test.ts`] : [];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2);
  const filters = given.length > 0 ? given : testsFor(changedFiles());
  // Without a filter, vitest would run every test: it waits for a change instead.
  const selection = filters.length > 0 ? filters : ["--changed"];
  const vitest = spawn("vitest", ["--project", "source", "--reporter", "default", ...selection], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  vitest.on("close", (code) => {
    process.exitCode = code ?? 1;
  });
}
