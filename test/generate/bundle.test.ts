import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";

const { exports, bin } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Record<string, { default: string } | string>;
  bin: { svc: string };
};

const ANY_IMPORT = /(?:from|import)\s*\(?\s*["'](\.[^"']+\.js)["']/g;
const STATIC_IMPORT = /(?:from|import)\s*["'](\.[^"']+\.js)["']/g;

/** The built files that an entry loads, at once or later. */
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

const holdsCompiler = (file: string) => readFileSync(file, "utf8").includes("json-schema-to-typescript/dist");

describe("the library that makes types of schemas", () => {
  const entries = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.default]));

  test.each(entries)("is not in %s", (entry) => {
    expect([...loadedBy(entry)].filter(holdsCompiler)).toEqual([]);
  });

  test("is in the command line, in a file of its own that only svc generate loads", () => {
    const [holder, ...others] = [...loadedBy(bin.svc)].filter(holdsCompiler);
    expect([typeof holder, others]).toEqual(["string", []]);
    expect(loadedBy(bin.svc, STATIC_IMPORT).has(holder ?? "")).toBe(false);
  });

  test("brings no formatter, no YAML and no require, and its licences travel with it", () => {
    const [holder = ""] = [...loadedBy(bin.svc)].filter(holdsCompiler);
    const text = readFileSync(holder, "utf8");
    expect(text).not.toMatch(/node_modules\/(prettier|js-yaml|minimist|tinyglobby)\//);
    const bare = [...text.matchAll(/^import .* from ["']([^."'][^"']*)["'];$/gm)].map(([, name = ""]) => name);
    expect(bare.filter((name) => !isBuiltin(name) && !name.startsWith("zod/"))).toEqual([]);
    expect(text).not.toMatch(/Dynamic require of/);
    expect(text.length).toBeLessThan(400_000);
    const licences = readFileSync("dist/THIRD_PARTY_LICENSES.txt", "utf8");
    for (const name of [
      "json-schema-to-typescript",
      "@apidevtools/json-schema-ref-parser",
      "@jsdevtools/ono",
      "lodash",
    ]) {
      expect(licences).toMatch(new RegExp(`^${name} \\d`, "m"));
    }
  });
});
