// The package's entry points, and what follows from them. The build, knip, the API reports, the site and the tests import
// this file. package.json and scripts/tsconfig.check.json can't: after a change, `node scripts/entries.ts` rewrites both.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The source of each entry, by the name after `svc-sdk/`. */
export const SOURCES = {
  "": "src/index.ts",
  agents: "src/agents/index.ts",
  "agents/policy": "src/agents/policy-entry.ts",
  "agents/schema": "src/agents/schema/index.ts",
  "agents/openai": "src/agents/adapters/openai.ts",
  "agents/anthropic": "src/agents/adapters/anthropic.ts",
  "agents/google": "src/agents/adapters/google.ts",
  "agents/ai-sdk": "src/agents/adapters/ai-sdk.ts",
  "agents/openai-agents": "src/agents/adapters/openai-agents.ts",
  "agents/langchain": "src/agents/adapters/langchain.ts",
  "agents/mastra": "src/agents/adapters/mastra.ts",
  "agents/mcp": "src/agents/adapters/mcp.ts",
  arguments: "src/contract/arguments.ts",
  contract: "src/contract/index.ts",
  emulator: "src/emulator/index.ts",
  "emulator/node": "src/emulator/node.ts",
  webhooks: "src/webhooks/index.ts",
  "webhooks/node": "src/webhooks/node.ts",
  stores: "src/stores/index.ts",
  otel: "src/otel/index.ts",
  undici: "src/undici/index.ts",
  testing: "src/testing/index.ts",
  "testing/msw": "src/testing/msw.ts",
} as const satisfies Readonly<Record<string, `src/${string}.ts`>>;

/** The source of the command. */
export const COMMAND = "src/cli/bin.ts";

export interface Entry {
  /** As it is imported: `svc-sdk/webhooks/node`. */
  readonly name: string;
  /** As the manifest names it: `./webhooks/node`. */
  readonly path: string;
  readonly source: string;
  /** As the files in `dist` are named: `webhooks/node`. */
  readonly output: string;
}

export const ENTRIES: readonly Entry[] = Object.entries(SOURCES).map(([name, source]) => ({
  name: name === "" ? "svc-sdk" : `svc-sdk/${name}`,
  path: name === "" ? "." : `./${name}`,
  source,
  output: name === "" ? "index" : name,
}));

/** `openai`, …: the entries of `svc-sdk/agents/` that adapt a toolset to a library. */
export const ADAPTERS = Object.entries(SOURCES).flatMap(([name, source]) =>
  source.startsWith("src/agents/adapters/") ? [name.replace("agents/", "")] : [],
);

/** Where scripts/types.ts puts the declaration files to bundle. */
export const TYPES = ".types";

/** The declaration file of a source. */
export const declarationsOf = (source: string) => source.replace(/^src\/(.*)\.ts$/, `${TYPES}/$1.d.ts`);

/** `exports` of package.json. */
export const manifestExports = () => ({
  ...Object.fromEntries(
    ENTRIES.map(({ path, output }) => [path, { types: `./dist/${output}.d.ts`, default: `./dist/${output}.js` }]),
  ),
  "./openapi.json": "./dist/openapi.json",
  "./package.json": "./package.json",
});

/** `compilerOptions.paths` of scripts/tsconfig.check.json. */
export const compilerPaths = () => Object.fromEntries(ENTRIES.map(({ name, source }) => [name, [`../${source}`]]));

/** The text of a JSON file whose object after `"key": ` is replaced by another one. */
function withObject(text: string, key: string, value: object): string {
  const [, indent = ""] = new RegExp(`^( *)"${key}": `, "m").exec(text) ?? [];
  const written = JSON.stringify(value, null, 2)
    .replace(/\[\s+("[^"]*")\s+\]/g, "[$1]")
    .replaceAll("\n", `\n${indent}`);
  return text.replace(new RegExp(`^( *"${key}": )\\{[^]*?\\n${indent}\\}`, "m"), (_, start: string) => start + written);
}

/** The two files that repeat the entries, as they must be. */
export function repeated(): Readonly<Record<string, string>> {
  const textOf = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8").replaceAll("\r", "");
  return {
    "package.json": withObject(textOf("package.json"), "exports", manifestExports()),
    "scripts/tsconfig.check.json": withObject(textOf("scripts/tsconfig.check.json"), "paths", compilerPaths()),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(repeated())) writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
