import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { defineConfig } from "tsup";
import { inspectorPlugin } from "./scripts/build/inspector.ts";
import { loadedTogether } from "./scripts/build/loaded-together.ts";
import { withPureConstants } from "./scripts/build/pure-constants.ts";
import { COMMAND, declarationsOf, ENTRIES } from "./scripts/entries.ts";

/** Only the emulator needs these packages, so its chunks contain them, and they aren't dependencies. */
const BUNDLED = ["hono", "@hono/node-server", "@modelcontextprotocol/server", "@modelcontextprotocol/core", "preact"];

/**
 * The zod of the MCP library is a copy, in a chunk that is loaded with the first MCP request. Our code imports parts of
 * zod from the dependency. If the library did too, a bundler would load all of zod with our code, because it puts a
 * module that both need into one file.
 */
const ZOD_OF_MCP = "zod/v4";

/** The sources by the name of the file in `dist`. */
const entry = { ...Object.fromEntries(ENTRIES.map(({ output, source }) => [output, source])), cli: COMMAND };

const declarations = Object.entries(entry).map(([name, source]) => [name, declarationsOf(source)]);

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
      writeFileSync(file, withPureConstants(code));
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
