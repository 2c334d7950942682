import { globSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Plugin } from "esbuild";

/** Small files. Most entry points need some of them. */
const SMALL = [
  ...[
    "account-status",
    "bounded-memory",
    "canonical-json",
    "client-owner",
    "credentials",
    "environment",
    "headers",
    "hidden-text",
    "json",
    "lock-format",
    "nearest-name",
    "text-size",
    "timers",
    "tools",
  ].map((name) => `src/shared/${name}.ts`),
  "src/errors/base.ts",
  "src/errors/local.ts",
  "src/errors/option-rules.ts",
  "src/resources/connected-accounts/acl.ts",
];

/** Files of the client. Other entry points need some of them and, except for the receiver, are used with a client. */
const OF_THE_CLIENT = [
  "src/shared/chain.ts",
  "src/client/endpoint.ts",
  ...globSync("src/resources/*/endpoints.ts").sort(),
  "src/client/tool-versions.ts",
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
  ...["input", "headers", "keys"].map((name) => `src/webhooks/${name}.ts`),
];

/** Files that every toolset loads. Alone, the second one would share a chunk with policies and `bind`. */
const OF_THE_TOOLSET = ["src/agents/index.ts", "src/agents/tools/meta-tools.ts"];

/** The MCP library needs none of these files. */
const ALONE = resolve("src/emulator/tool-router/mcp-server.ts");

/** Files that a program has loaded before a file of these folders imports another one with `import()`. */
const LOADED_BEFORE: readonly (readonly [folder: RegExp, files: readonly string[]])[] = [
  [/^src\/agents\//, OF_THE_TOOLSET],
  [/^src\/(client|resources)\//, ["src/index.ts"]],
];

/** Files behind an `import()`, each with the files that are loaded before. */
function loadedLater(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    globSync("src/**/*.ts").flatMap((importer) => {
      const [, before = [importer]] =
        LOADED_BEFORE.find(([folder]) => folder.test(importer.replaceAll("\\", "/"))) ?? [];
      const imports = readFileSync(importer, "utf8").matchAll(/\bimport\("(\..+?)\.js"\)/g);
      return [...imports].map(([, target]) => [resolve(dirname(importer), `${target}.ts`), before] as const);
    }),
  );
}

/** Import statements for the end of an entry point. */
function addedImports(entryPoint: string, before: readonly string[] = []): string {
  const isOfWebhooks = /[\\/]webhooks[\\/]/.test(entryPoint);
  const isOfToolsets = /[\\/]agents[\\/](adapters[\\/].*|index\.ts)$/.test(entryPoint);
  const files = [
    ...SMALL,
    ...(isOfWebhooks ? OF_THE_WEBHOOKS : OF_THE_CLIENT),
    ...(isOfToolsets ? OF_THE_TOOLSET.filter((file) => resolve(file) !== entryPoint) : []),
    ...before,
  ];
  return files.map((file) => `import ${JSON.stringify(resolve(file))};`).join("\n");
}

/**
 * Has entry points import these files together. esbuild makes a chunk for each set of entry points that share files, and
 * loading a small chunk takes Node longer than running it: without this, the client's import loads three times as many.
 *
 * To esbuild, a file behind `import()` is an entry point too. It imports what is loaded before it, which it therefore
 * has no reason to part.
 */
export const loadedTogether: Plugin = {
  name: "loaded-together",
  setup: ({ onResolve, onLoad }) => {
    const later = loadedLater();
    const entryPoints = new Set([...later.keys()].filter((file) => file !== ALONE));
    onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
      if (kind === "entry-point") entryPoints.add(resolve(resolveDir, path));
      return undefined;
    });
    onLoad({ filter: /\.ts$/ }, ({ path }) =>
      entryPoints.has(path)
        ? { contents: `${readFileSync(path, "utf8")}\n${addedImports(path, later.get(path))}`, loader: "ts" }
        : undefined,
    );
  },
};
