import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, inject, test } from "vitest";
import { TARGETS } from "./entries.js";

const installed = join(inject("packed").project, "node_modules/svc-sdk");

/** Bytes that an installation may unpack, source maps included, what only the emulator and the command need apart. */
const BUDGET = 1_470_000;

/** The files that these reach, themselves included. */
function reached(files: readonly string[]): Set<string> {
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    const extension = /(\.d\.ts|\.js)$/.exec(file)?.[0] ?? "";
    for (const [, source = ""] of readFileSync(join(installed, file), "utf8").matchAll(
      /(?:from|import) ?['"](\.[^'"]+)/g,
    )) {
      visit(posix.join(posix.dirname(file), source.replace(/\.js$/, extension)));
    }
  };
  for (const file of files) visit(file);
  return found;
}

test("what an installation unpacks stays within its budget", () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(installed.length + 1)
        .replaceAll("\\", "/"),
    );
  const ours = TARGETS.filter(({ entry }) => !entry.startsWith("./emulator"));
  const shared = reached(ours.flatMap(({ types, code }) => [posix.normalize(types), posix.normalize(code)]));
  const isApart = (file: string) =>
    (/\.(js|d\.ts)(\.map)?$/.test(file) && !shared.has(file.replace(/\.map$/, ""))) ||
    // The licenses of what the emulator's chunks contain.
    file === "dist/THIRD_PARTY_LICENSES.txt";

  const bytes = { code: 0, maps: 0, types: 0, other: 0, apart: 0 };
  for (const file of files) {
    const kind = /\.d\.ts$/.test(file) ? "types" : /\.js$/.test(file) ? "code" : /\.map$/.test(file) ? "maps" : "other";
    bytes[isApart(file) ? "apart" : kind] += statSync(join(installed, file)).size;
  }
  const { apart, ...own } = bytes;
  const total = Object.values(own).reduce((sum, size) => sum + size, 0);
  expect(total, `${total} bytes of ${BUDGET}: ${JSON.stringify(own)}, apart ${apart}`).toBeLessThanOrEqual(BUDGET);
  expect(apart).toBeGreaterThan(100_000);
});
