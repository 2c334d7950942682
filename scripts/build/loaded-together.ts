import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "esbuild";

/** Small files. Most entry points need some of them. */
const SMALL = [
  ...["environment", "json", "memory", "nearest-name", "timers", "tools"].map((name) => `src/shared/${name}.ts`),
  "src/errors/base.ts",
  "src/errors/local.ts",
  "src/resources/connected-accounts/acl.ts",
];

/** Files of the client. Other entry points need some of them and, except for the receiver, are used with a client. */
const OF_THE_CLIENT = [
  "src/client/endpoint.ts",
  ...globSync("src/resources/*/endpoints.ts").sort(),
  "src/client/versions.ts",
  "src/client/pacing/pacer.ts",
  "src/errors/api-error.ts",
  "src/client/middleware/observe.ts",
  "src/shared/redact.ts",
];

/**
 * Files of the receiver. Without this, they would share a chunk with signWebhook(), whose library is CommonJS: a bundle
 * that only verifies would contain the library too.
 */
const OF_THE_WEBHOOKS = [
  "src/errors/webhook.ts",
  ...["bytes", "headers", "keys"].map((name) => `src/webhooks/${name}.ts`),
];

const importsOf = (files: readonly string[]) =>
  files.map((file) => `import ${JSON.stringify(resolve(file))};`).join("\n");

/** Import statements for the end of an entry point. */
function addedImports(entryPoint: string): string {
  const isOfWebhooks = /[\\/]webhooks[\\/]/.test(entryPoint);
  return importsOf([...SMALL, ...(isOfWebhooks ? OF_THE_WEBHOOKS : OF_THE_CLIENT)]);
}

/**
 * Has entry points import these files together. esbuild makes a chunk for each set of entry points that share files, and
 * loading a small chunk takes Node longer than running it: without this, the client's import loads three times as many.
 */
export const loadedTogether: Plugin = {
  name: "loaded-together",
  setup: ({ onResolve, onLoad }) => {
    const entryPoints = new Set<string>();
    onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
      // What is imported dynamically is an entry point too. The MCP library needs none of these files.
      const isEntryPoint = kind === "entry-point" || (kind === "dynamic-import" && path !== "./mcp-server.js");
      if (isEntryPoint) entryPoints.add(resolve(resolveDir, path).replace(/\.js$/, ".ts"));
      return undefined;
    });
    onLoad({ filter: /\.ts$/ }, ({ path }) =>
      entryPoints.has(path)
        ? { contents: `${readFileSync(path, "utf8")}\n${addedImports(path)}`, loader: "ts" }
        : undefined,
    );
  },
};
