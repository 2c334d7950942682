import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "esbuild";

/** Small files of the client of which other entry points use some. */
const COMMON = [
  ...["dated-version", "first-time", "json", "nearest-name", "timers"].map((name) => `src/shared/${name}.ts`),
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
      // What is imported dynamically is an entry point too. The MCP library needs none of these files.
      const isLoadedLater = kind === "dynamic-import" && path !== "./mcp-library.js";
      if (kind === "entry-point" || isLoadedLater) entryPoints.add(resolve(resolveDir, path).replace(/\.js$/, ".ts"));
      return undefined;
    });
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!entryPoints.has(path)) return undefined;
      const imports = COMMON.map((file) => `import ${JSON.stringify(resolve(file))};`);
      return { contents: [readFileSync(path, "utf8"), ...imports].join("\n"), loader: "ts" };
    });
  },
};
