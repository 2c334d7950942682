// What the package costs who bundles it for a browser. Run it after a build: node scripts/size.ts [--modules]
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";

/** A part of the package as a browser loads it: minified by esbuild, without the chunks that are loaded on demand. */
export interface Size {
  readonly gzipBytes: number;
  readonly minifiedBytes: number;
  /** Packages whose code is in it. */
  readonly packages: readonly string[];
  /** Modules that it imports and that no bundle can hold, `node:` ones for example. */
  readonly external: readonly string[];
}

const root = fileURLToPath(new URL("..", import.meta.url));

interface Bundle {
  /** The files that are loaded at the start. */
  readonly contents: readonly Uint8Array[];
  /** The same, as esbuild describes them. */
  readonly outputs: readonly Metafile["outputs"][string][];
}

async function bundle(code: string, beside: readonly string[]): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: root, loader: "ts" },
    bundle: true,
    splitting: true,
    outdir: "out",
    minify: true,
    format: "esm",
    platform: "browser",
    external: ["node:*", ...beside],
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const { outputs } = metafile;
  const loaded = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === "<stdin>"));
  // A set is walked in the order in which it grows.
  for (const file of loaded) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === "import-statement" && path in outputs) loaded.add(path);
    }
  }
  return {
    contents: outputFiles.filter(({ path }) => loaded.has(relative(process.cwd(), path))).map((file) => file.contents),
    outputs: [...loaded].flatMap((path) => outputs[path] ?? []),
  };
}

const bytesOf = ({ outputs }: Bundle) =>
  outputs.flatMap(({ inputs }) => Object.entries(inputs).map(([file, { bytesInOutput }]) => ({ file, bytesInOutput })));

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

/** The package that a bundled file belongs to; `undefined` for our own. */
const packageOf = (file: string) => file.match(/^.*node_modules\/(@[^/]+\/[^/]+|[^/]+)/)?.[1];

/**
 * Measures what this code brings into a bundle.
 *
 * @param beside packages that are left out, for what comes on top of them.
 * @param base code of the package whose size is subtracted.
 */
export async function sizeOf(code: string, beside: readonly string[] = [], base?: string): Promise<Size> {
  const bundled = await bundle(code, beside);
  const packages = bytesOf(bundled).flatMap(({ file, bytesInOutput }) =>
    bytesInOutput > 0 ? (packageOf(file) ?? []) : [],
  );
  const imported = bundled.outputs.flatMap(({ imports }) => imports.filter((each) => each.external));
  const below = base === undefined ? undefined : await sizeOf(base, beside);
  return {
    gzipBytes: sum(bundled.contents.map((bytes) => gzipSync(bytes, { level: 9 }).length)) - (below?.gzipBytes ?? 0),
    minifiedBytes: sum(bundled.contents.map(({ length }) => length)) - (below?.minifiedBytes ?? 0),
    packages: [...new Set(packages)].sort(),
    external: [...new Set(imported.map(({ path }) => path))].filter((path) => !beside.includes(path)),
  };
}

/** The entries of `svc-sdk/agents/`. */
export const ADAPTERS = [
  "openai",
  "anthropic",
  "google",
  "ai-sdk",
  "openai-agents",
  "langchain",
  "mastra",
  "mcp",
] as const;

const SCHEMA = `export * from "svc-sdk/agents/schema";`;

/**
 * The parts that have a budget, by name: their code, the packages that don't count, and the code on top of which they
 * are measured.
 */
export const PARTS: Readonly<Record<string, readonly [code: string, beside?: readonly string[], base?: string]>> = {
  client: [`export * from "svc-sdk";`],
  "client without pieces": [`export { Svc } from "svc-sdk";`],
  "client, beside ky and p-retry": [`export * from "svc-sdk";`, ["ky", "p-retry"]],
  "webhooks, verifying alone": [`export { verifySignature } from "svc-sdk/webhooks";`],
  "webhooks, verifying and parsing": [`export { verifyWebhook } from "svc-sdk/webhooks";`],
  webhooks: [`export * from "svc-sdk/webhooks";`],
  contract: [`export { checkContract } from "svc-sdk/contract";`],
  emulator: [`export * from "svc-sdk/emulator";`],
  agents: [`export * from "svc-sdk/agents";`],
  "agents, schema": [SCHEMA],
  "agents with schema and openai": [
    `export { toolset } from "svc-sdk/agents"; export { openai } from "svc-sdk/agents/openai";`,
  ],
  // Every adapter brings the compiler, which a program has once.
  ...Object.fromEntries(
    ADAPTERS.map((name) => [
      `agents, ${name}, on top`,
      [`${SCHEMA} export * from "svc-sdk/agents/${name}";`, [], SCHEMA],
    ]),
  ),
};

/**
 * Minified bytes of each module of a part, the largest first. Measured on the sources, which still know their modules.
 */
export async function modulesOf(
  code: string,
  beside: readonly string[] = [],
): Promise<{ file: string; bytesInOutput: number }[]> {
  // Only here: it loads what builds the package, which the sizes alone don't need.
  const { entry } = await import("../tsup.config.ts");
  const sources: Readonly<Record<string, string>> = entry;
  const ofSources = code.replaceAll(/"svc-sdk\/?([^"]*)"/g, (_, name: string) =>
    JSON.stringify(`./${sources[name] ?? sources[name ? `${name}/index` : "index"]}`),
  );
  return bytesOf(await bundle(ofSources, beside)).sort((a, b) => b.bytesInOutput - a.bytesInOutput);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, [code, beside, base]] of Object.entries(PARTS)) {
    const { gzipBytes, minifiedBytes, packages, external } = await sizeOf(code, beside, base);
    console.log(`${name}: ${gzipBytes} bytes gzip, ${minifiedBytes} minified; ${[...packages, ...external].join(" ")}`);
    if (!process.argv.includes("--modules")) continue;
    for (const { file, bytesInOutput } of await modulesOf(code, beside)) console.log(`  ${bytesInOutput} ${file}`);
  }
}
