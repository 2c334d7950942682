// What the package costs who bundles it for a browser. Run it after a build: node scripts/size.ts [--modules]
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";

/** A part of the package as a browser loads it: minified by esbuild. */
export interface Size {
  readonly gzipBytes: number;
  readonly minifiedBytes: number;
  /** Packages whose code is in it. */
  readonly packages: readonly string[];
  /** Modules that it imports and that no bundle can hold, `node:` ones for example. */
  readonly external: readonly string[];
}

const root = fileURLToPath(new URL("..", import.meta.url));

async function bundle(code: string, beside: readonly string[]): Promise<{ contents: Uint8Array; metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: root, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    external: ["node:*", ...beside],
    metafile: true,
    write: false,
    logLevel: "error",
  });
  return { contents: outputFiles[0]?.contents ?? new Uint8Array(), metafile };
}

const bytesOf = ({ outputs }: Metafile) =>
  Object.entries(Object.values(outputs)[0]?.inputs ?? {}).map(([file, { bytesInOutput }]) => ({ file, bytesInOutput }));

/** The package that a bundled file belongs to; `undefined` for our own. */
const packageOf = (file: string) => file.match(/^.*node_modules\/(@[^/]+\/[^/]+|[^/]+)/)?.[1];

/**
 * Measures what this code brings into a bundle.
 *
 * @param beside packages that are left out, for what comes on top of them.
 * @param base code of the package whose size is subtracted.
 */
export async function sizeOf(code: string, beside: readonly string[] = [], base?: string): Promise<Size> {
  const { contents, metafile } = await bundle(code, beside);
  const packages = bytesOf(metafile).flatMap(({ file, bytesInOutput }) =>
    bytesInOutput > 0 ? (packageOf(file) ?? []) : [],
  );
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const below = base === undefined ? undefined : await sizeOf(base, beside);
  return {
    gzipBytes: gzipSync(contents, { level: 9 }).length - (below?.gzipBytes ?? 0),
    minifiedBytes: contents.length - (below?.minifiedBytes ?? 0),
    packages: [...new Set(packages)].sort(),
    external: [...new Set(imported)].filter((path) => !beside.includes(path)),
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
async function modulesOf(code: string, beside: readonly string[] = []): Promise<ReturnType<typeof bytesOf>> {
  const ofSources = code.replace(/"svc-sdk(\/\w+)?(\/[\w-]+)?"/g, (_, entry = "", part = "/index") => {
    const file = `./src${entry}${part}`;
    return JSON.stringify(existsSync(`${root}${file}.ts`) ? `${file}.ts` : `${file}/index.ts`);
  });
  const { metafile } = await bundle(ofSources, beside);
  return bytesOf(metafile).sort((a, b) => b.bytesInOutput - a.bytesInOutput);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, [code, beside, base]] of Object.entries(PARTS)) {
    const { gzipBytes, minifiedBytes, packages, external } = await sizeOf(code, beside, base);
    console.log(`${name}: ${gzipBytes} bytes gzip, ${minifiedBytes} minified; ${[...packages, ...external].join(" ")}`);
    if (!process.argv.includes("--modules")) continue;
    for (const { file, bytesInOutput } of await modulesOf(code, beside)) console.log(`  ${bytesInOutput} ${file}`);
  }
}
