// Measures the package: bundled for a browser, unpacked, and the heap of a call. Run it after a build:
// node scripts/size.ts [--modules] [--update [--all]]. The tests compare the sizes with scripts/sizes.json. An update keeps
// sizes that have hardly changed, unless it's for all.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile, type OutputFile } from "esbuild";
import { ADAPTERS, ENTRIES } from "./entries.ts";

/** A part of the package as a browser loads it at the start: minified by esbuild. */
export interface Size {
  readonly gzipBytes: number;
  /** Of the chunks that `import()` loads when they are needed. They aren't in the other figures. */
  readonly laterGzipBytes: number;
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
  /** The files that are loaded on demand. */
  readonly later: readonly Uint8Array[];
  /** The files of the start, as esbuild describes them. */
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
  const isLoaded = ({ path }: OutputFile) => loaded.has(relative(process.cwd(), path));
  const contentsOf = (files: readonly OutputFile[]) => files.map((file) => file.contents);
  return {
    contents: contentsOf(outputFiles.filter(isLoaded)),
    later: contentsOf(outputFiles.filter((file) => !isLoaded(file))),
    outputs: [...loaded].flatMap((path) => outputs[path] ?? []),
  };
}

const bytesOf = ({ outputs }: Bundle) =>
  outputs.flatMap(({ inputs }) => Object.entries(inputs).map(([file, { bytesInOutput }]) => ({ file, bytesInOutput })));

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

const gzipOf = (files: readonly Uint8Array[]) => sum(files.map((bytes) => gzipSync(bytes, { level: 9 }).length));

/** The package that a bundled file belongs to; `undefined` for our own. */
const packageOf = (file: string) => file.match(/^.*node_modules\/(@[^/]+\/[^/]+|[^/]+)/)?.[1];

/**
 * Measures what this code brings into a bundle.
 *
 * @param beside packages that are omitted, to measure what is added to them.
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
    gzipBytes: gzipOf(bundled.contents) - (below?.gzipBytes ?? 0),
    laterGzipBytes: gzipOf(bundled.later) - (below?.laterGzipBytes ?? 0),
    minifiedBytes: sum(bundled.contents.map(({ length }) => length)) - (below?.minifiedBytes ?? 0),
    packages: [...new Set(packages)].sort(),
    external: [...new Set(imported.map(({ path }) => path))].filter((path) => !beside.includes(path)),
  };
}

const SCHEMA = `export * from "svc-sdk/agents/schema";`;
const WITHOUT_ADAPTER = `${SCHEMA} export { toolset } from "svc-sdk/agents";`;

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
  "webhooks, receiving": [`export { createReceiver } from "svc-sdk/webhooks";`],
  webhooks: [`export * from "svc-sdk/webhooks";`],
  contract: [`export { checkContract } from "svc-sdk/contract";`],
  emulator: [`export * from "svc-sdk/emulator";`],
  "stores, handled events in Redis": [`export { redisDeliveries } from "svc-sdk/stores";`],
  agents: [`export * from "svc-sdk/agents";`],
  "agents, policy": [`export { policy } from "svc-sdk/agents/policy";`],
  "agents, schema": [SCHEMA],
  "agents with schema and openai": [
    `export { toolset } from "svc-sdk/agents"; export { openai } from "svc-sdk/agents/openai";`,
  ],
  // Every adapter brings the compiler and takes a toolset, which a program has once.
  ...Object.fromEntries(
    ADAPTERS.map((name) => [
      `agents, ${name}, on top`,
      [`${WITHOUT_ADAPTER} export * from "svc-sdk/agents/${name}";`, [], WITHOUT_ADAPTER],
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
  const sources = new Map(ENTRIES.map(({ name, source }) => [name, source]));
  const ofSources = code.replaceAll(/"(svc-sdk[^"]*)"/g, (_, name: string) => JSON.stringify(`./${sources.get(name)}`));
  return bytesOf(await bundle(ofSources, beside)).sort((a, b) => b.bytesInOutput - a.bytesInOutput);
}

/** The sizes that scripts/sizes.json keeps: of each part, of what an installation unpacks, and of a small call. */
export interface Sizes {
  /** Gzip bytes of each part at the start. */
  readonly bundled: Readonly<Record<string, number>>;
  /** Gzip bytes that each part may load later. */
  readonly later: Readonly<Record<string, number>>;
  /** Bytes that an installation unpacks: code and types without those of the emulator and the command, and docs. */
  readonly unpacked: { readonly code: number; readonly docs: number };
  /** Bytes of heap that a small call in memory takes. About as much as ky alone with its defaults. */
  readonly heapOfCall: number;
}

const FILE = new URL("sizes.json", import.meta.url);

/** The sizes as they were when `npm run size -- --update` ran last. */
export const KEPT = JSON.parse(readFileSync(FILE, "utf8")) as Sizes;

/** How large a size may be, given its size in the file. A small change shouldn't need an update. */
export const largest = (kept: number) => Math.max(kept * 1.02, kept + 250);

/** The rows of the README's table that show sizes: the start of each row, and its parts. */
export const README_ROWS: readonly (readonly [entry: string, parts: readonly string[]])[] = [
  ["`svc-sdk`", ["client"]],
  ["`svc-sdk/agents`, `/agents/schema`, `/agents/openai`, …", ["agents", "agents, schema"]],
  ["`svc-sdk/webhooks`, `/webhooks/node`", ["webhooks"]],
  ["`svc-sdk/contract`, `/openapi.json`", ["contract"]],
];

/** The last cell of a row of the README's table. */
export const readmeCell = (parts: readonly string[], sizes: Sizes) =>
  parts.map((part) => `${((sizes.bundled[part] ?? 0) / 1_000).toFixed(1)} KB`).join(", ");

/** The files of the package with their sizes, as npm packs them. */
function packedFiles(): readonly { readonly path: string; readonly size: number }[] {
  const printed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  return JSON.parse(printed)[0].files;
}

/** The files of `dist` that these import, themselves included. */
function reached(files: readonly string[]): ReadonlySet<string> {
  const found = new Set(files);
  // A set is walked in the order in which it grows.
  for (const file of found) {
    const extension = /(\.d\.ts|\.js)$/.exec(file)?.[0] ?? "";
    const code = readFileSync(posix.join(root, file), "utf8");
    for (const [, source = ""] of code.matchAll(/(?:from|import) ?['"](\.[^'"]+\.js)['"]/g)) {
      found.add(posix.join(posix.dirname(file), source.replace(/\.js$/, extension)));
    }
  }
  return found;
}

/** Measures what an installation unpacks. */
export function unpackedSizes(): Sizes["unpacked"] {
  const outputs = ENTRIES.map(({ output }) => output).filter((output) => !output.startsWith("emulator"));
  const used = reached(outputs.flatMap((output) => [`dist/${output}.d.ts`, `dist/${output}.js`]));
  const isCode = (path: string) => path.startsWith("dist/") && /\.(js|d\.ts)$/.test(path);
  const files = packedFiles();
  return {
    code: sum(files.filter(({ path }) => used.has(path)).map(({ size }) => size)),
    docs: sum(files.filter(({ path }) => !isCode(path)).map(({ size }) => size)),
  };
}

/** Measures the heap of a small call. `cwd` is a folder from which `svc-sdk` can be imported. */
export function heapOfCall(cwd = root): number {
  // The nursery is so large that nothing is collected on the way.
  const nursery = ["--min-semi-space-size=256", "--max-semi-space-size=256"];
  const script = readFileSync(new URL("heap-of-a-call.mjs", import.meta.url), "utf8");
  const flags = ["--expose-gc", ...nursery, "--input-type=module", "--eval", script];
  return Number(execFileSync(process.execPath, flags, { cwd, encoding: "utf8" }));
}

const isAll = process.argv.includes("--all");

/** The size to keep: the new one if there is no kept one, or if they differ by more than a small change. */
const toKeep = (kept: number | undefined, measured: number) =>
  kept === undefined || isAll || measured > largest(kept) || kept > largest(measured) ? measured : kept;

/** Writes sizes that have changed to the file and into the README's table. */
async function update(): Promise<void> {
  const measured = await Promise.all(
    Object.entries(PARTS).map(async ([name, part]) => [name, await sizeOf(...part)] as const),
  );
  const unpacked = unpackedSizes();
  const sizes: Sizes = {
    bundled: Object.fromEntries(measured.map(([name, now]) => [name, toKeep(KEPT.bundled[name], now.gzipBytes)])),
    later: Object.fromEntries(measured.map(([name, now]) => [name, toKeep(KEPT.later[name], now.laterGzipBytes)])),
    unpacked: {
      code: toKeep(KEPT.unpacked.code, unpacked.code),
      docs: toKeep(KEPT.unpacked.docs, unpacked.docs),
    },
    heapOfCall: toKeep(KEPT.heapOfCall, Math.round(heapOfCall())),
  };
  writeFileSync(FILE, `${JSON.stringify(sizes, null, 2)}\n`);
  const readme = posix.join(root, "README.md");
  const lines = readFileSync(readme, "utf8").split("\n");
  const shown = lines.map((line) => {
    const [, parts] = README_ROWS.find(([entry]) => line.startsWith(`| ${entry} |`)) ?? [];
    return parts === undefined ? line : line.replace(/[^|]*\|$/, ` ${readmeCell(parts, sizes)} |`);
  });
  writeFileSync(readme, shown.join("\n"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--update")) await update();
  for (const [name, [code, beside, base]] of Object.entries(PARTS)) {
    const { gzipBytes, laterGzipBytes, minifiedBytes, packages, external } = await sizeOf(code, beside, base);
    const later = laterGzipBytes > 0 ? `, ${laterGzipBytes} loaded later` : "";
    const contained = [...packages, ...external].join(" ");
    console.log(`${name}: ${gzipBytes} bytes gzip${later}, ${minifiedBytes} minified; ${contained}`);
    if (!process.argv.includes("--modules")) continue;
    for (const { file, bytesInOutput } of await modulesOf(code, beside)) console.log(`  ${bytesInOutput} ${file}`);
  }
}
