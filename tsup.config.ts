import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { defineConfig } from "tsup";
import { inspectorPlugin } from "./scripts/build/inspector.ts";
import { loadedTogether } from "./scripts/build/loaded-together.ts";

/** Only the emulator needs these packages, so its chunks contain them, and they aren't dependencies. */
const BUNDLED = ["hono", "@hono/node-server", "@modelcontextprotocol/server", "@modelcontextprotocol/core", "preact"];

/**
 * The zod of the MCP library is a copy, in a chunk that is loaded with the first MCP request. Our code imports parts of
 * zod from the dependency. If the library did too, a bundler would load all of zod with our code, because it puts a
 * module that both need into one file.
 */
const ZOD_OF_MCP = "zod/v4";

/** Where scripts/types.ts puts the declaration files to bundle. */
export const TYPES = ".types";

export const entry = {
  index: "src/index.ts",
  "agents/index": "src/agents/index.ts",
  "agents/approvals/index": "src/agents/approvals/index.ts",
  "agents/policy/index": "src/agents/policy/index.ts",
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
  "emulator/index": "src/emulator/index.ts",
  "emulator/node": "src/emulator/node.ts",
  "emulator/catalog": "src/emulator/from-catalog.ts",
  "webhooks/index": "src/webhooks/index.ts",
  "webhooks/node": "src/webhooks/node.ts",
  otel: "src/otel/index.ts",
  "stores/index": "src/stores/index.ts",
  "stores/postgres": "src/stores/postgres.ts",
  "stores/redis": "src/stores/redis.ts",
  undici: "src/undici/index.ts",
  "testing/index": "src/testing/index.ts",
  "testing/stores": "src/testing/stores.ts",
  "testing/msw": "src/testing/msw.ts",
  cli: "src/cli/bin.ts",
};

const declarations = Object.entries(entry).map(([name, source]) => [
  name,
  source.replace(/^src\/(.*)\.ts$/, `${TYPES}/$1.d.ts`),
]);

export default defineConfig({
  entry,
  format: ["esm"],
  target: "es2022",
  platform: "neutral",
  noExternal: [...BUNDLED, ZOD_OF_MCP],
  external: [/^node:/],
  esbuildPlugins: [inspectorPlugin, loadedTogether],
  dts: { entry: Object.fromEntries(declarations) },
  // Not minified: an uncaught error prints a line, and a debugger steps through code, that people can read.
  esbuildOptions: (options) => {
    // For our own tools: the package doesn't contain them, so its code doesn't name them either.
    options.sourcemap = "external";
    options.sourcesContent = false;
    // The emulator checks arguments itself. The library's validators would be dead weight, and the one for Node needs eval.
    options.alias = { "@modelcontextprotocol/server/_shims": "./scripts/build/mcp-shims.ts" };
    // For packages whose only entry is this one.
    options.mainFields = ["module", "main"];
    options.chunkNames = "chunk-[hash]";
  },
  clean: true,
  splitting: true,
  onSuccess: async () => {
    for (const file of globSync("dist/**/*.js")) {
      const code = readFileSync(file, "utf8")
        // Imports of chunks for their effects only: they have none, and each takes Node half a millisecond to load.
        .replace(/^import "[./]+chunk-\w+\.js";$/gm, "")
        .replace(/^\/\/# sourceMappingURL=.*\n?/m, "");
      writeFileSync(file, code);
    }
    writeFileSync("dist/THIRD_PARTY_LICENSES.txt", licenses());
  },
});

/** The licenses of bundled packages, each once, after the packages and copyright holders. */
function licenses(): string {
  const packages = new Map<string, readonly string[]>();
  for (const name of [...BUNDLED, "zod"]) {
    const manifest = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as Manifest;
    const file = readdirSync(`node_modules/${name}`).find((entry) => /^licen[cs]e/i.test(entry));
    const license = file === undefined ? mitLicense(manifest) : readFileSync(`node_modules/${name}/${file}`, "utf8");
    const [, holder = "", terms] = /^(?:The )?MIT License.*?(Copyright .*?\n)\n*(.*)$/s.exec(license) ?? [];
    const text = terms === undefined ? license : `MIT License\n\n${terms}`;
    packages.set(text, [...(packages.get(text) ?? []), `${name} ${manifest.version}\n${holder}`]);
  }
  return [...packages].map(([text, list]) => `${list.join("")}\n${text}`).join("\n\n");
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string;
}

/** A package may name its license without containing the text. The MIT text is the same as ours. */
function mitLicense({ name, license, author }: Manifest): string {
  if (license !== "MIT" || author === undefined) throw new Error(`${name} has no license text.`);
  return readFileSync("LICENSE", "utf8").replace(/^Copyright .*$/m, `Copyright (c) ${author}`);
}
