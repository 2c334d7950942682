import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "esbuild";

/** Small files of which every entry point uses some. */
const COMMON = [
  ...globSync("src/shared/*.ts").sort(),
  "src/errors/base.ts",
  "src/errors/local.ts",
  "src/core/endpoint.ts",
  "src/resources/connected-accounts/acl.ts",
];

/**
 * Has every entry point import these files. esbuild makes a chunk for each set of entry points that share files, and
 * loading a small chunk takes Node longer than running it: without this, the client's import loads twice as many.
 */
export const loadedTogether: Plugin = {
  name: "loaded-together",
  setup: ({ onResolve, onLoad }) => {
    const entryPoints = new Set<string>();
    onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
      // What is imported dynamically is an entry point too.
      if (kind === "entry-point" || kind === "dynamic-import")
        entryPoints.add(resolve(resolveDir, path).replace(/\.js$/, ".ts"));
      return undefined;
    });
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!entryPoints.has(path)) return undefined;
      const imports = COMMON.map((file) => `import ${JSON.stringify(resolve(file))};`);
      return { contents: [readFileSync(path, "utf8"), ...imports].join("\n"), loader: "ts" };
    });
  },
};
