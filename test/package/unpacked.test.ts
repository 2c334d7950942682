import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, inject, test } from "vitest";
import { TARGETS } from "./entries.js";

const installed = join(inject("packed").project, "node_modules/svc-sdk");

/**
 * Bytes that an installation may unpack: code and types, without what only the emulator and the command need; and what
 * people read.
 */
const BUDGET = { used: 1_300_000, read: 1_255_000 };

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

test("the unpacked size of an installation stays within its budget", () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(installed.length + 1)
        .replaceAll("\\", "/"),
    );
  const ours = TARGETS.filter(({ entry }) => !entry.startsWith("./emulator") && entry !== "./testing/cassettes");
  const shared = reached(ours.flatMap(({ types, code }) => [posix.normalize(types), posix.normalize(code)]));
  const isCode = (file: string) => /\.(js|d\.ts)$/.test(file) && file.startsWith("dist/");

  const bytes = { used: 0, read: 0, apart: 0 };
  for (const file of files) {
    const kind = isCode(file) ? (shared.has(file) ? "used" : "apart") : "read";
    bytes[kind] += statSync(join(installed, file)).size;
  }
  expect(bytes.used, JSON.stringify(bytes)).toBeLessThanOrEqual(BUDGET.used);
  expect(bytes.read, JSON.stringify(bytes)).toBeLessThanOrEqual(BUDGET.read);
  expect(bytes.apart).toBeGreaterThan(100_000);
});
