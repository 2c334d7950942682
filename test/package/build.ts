import { execFileSync } from "node:child_process";
import { globSync, statSync } from "node:fs";

/** The input of `npm run build`. */
const SOURCES = ["src/**", "scripts/**", "docs/*.md", "docs/guide/*.md", "*.md", "package.json", "*config*.{json,ts}"];
/** The last file that the build writes. */
const LAST = "dist/llms-reference.txt";

/**
 * Builds the package if it has not been built since a source changed, so that a test file can be run by itself. Types are
 * checked by `npm run check`.
 */
export default function setup(): void {
  const builtAt = statSync(LAST, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (globSync(SOURCES).every((path) => statSync(path).mtimeMs <= builtAt)) return;
  console.info("dist is older than the sources: npm run bundle");
  execFileSync("npm", ["run", "--silent", "bundle"], { stdio: "inherit", shell: process.platform === "win32" });
}
