import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";

const { exports, bin } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Record<string, { default: string } | string>;
  bin: { "svc-sdk": string };
};

const ANY_IMPORT = /(?:from|import)\s*\(?\s*["'](\.[^"']+\.js)["']/g;
const STATIC_IMPORT = /(?:from|import)\s*["'](\.[^"']+\.js)["']/g;

/** The built files that an entry point loads, immediately or later. */
function loadedBy(entry: string, imports = ANY_IMPORT): Set<string> {
  const loaded = new Set<string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const [, target = ""] of readFileSync(file, "utf8").matchAll(imports)) {
      visit(normalize(join(dirname(file), target)));
    }
  };
  visit(normalize(entry));
  return loaded;
}

const writesTypes = (file: string) => readFileSync(file, "utf8").includes("biome-ignore-all lint");

describe("the type writer", () => {
  const entries = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.default]));

  test.each(entries)("is not in %s", (entry) => {
    expect([...loadedBy(entry)].filter(writesTypes)).toEqual([]);
  });

  test("is in a separate small file that only svc-sdk generate loads", () => {
    const [holder = "", ...others] = [...loadedBy(bin["svc-sdk"])].filter(writesTypes);
    expect(others).toEqual([]);
    expect(loadedBy(bin["svc-sdk"], STATIC_IMPORT).has(holder)).toBe(false);
    expect(readFileSync(holder, "utf8").length).toBeLessThan(40_000);
  });

  test("has no dependency", () => {
    const [holder = ""] = [...loadedBy(bin["svc-sdk"])].filter(writesTypes);
    const bare = [...readFileSync(holder, "utf8").matchAll(/^import .* from ["']([^."'][^"']*)["'];$/gm)];
    expect(bare.filter(([, name = ""]) => !isBuiltin(name) && !name.startsWith("zod/"))).toEqual([]);
  });
});
