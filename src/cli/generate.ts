import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type Catalog, catalogText } from "../catalog/catalog.js";
import { generateTypes } from "../catalog/generate/generate-types.js";
import { readCatalog } from "../catalog/read-catalog.js";
import { counted } from "../errors/mismatch-words.js";
import type { ToolLock } from "../index.js";
import { didYouMean } from "../shared/nearest-name.js";
import { declareCommand, flag, READING_TOOLS, SERVICE, text, UsageError, type ValuesOf, VERBOSE } from "./command.js";
import { connect } from "./connect.js";
import { LOCK_FILE, readCatalogFile, readLockFile, toolkitsToRead, writeResult } from "./files.js";
import { print, quoted } from "./print.js";
import { API_VERSION, apiVersionIn, slugsIn } from "./read-value.js";
import type { Terminal } from "./terminal.js";

const OPTIONS = {
  out: text("file", "the TypeScript file to write"),
  toolkits: text("slugs", "toolkits, separated by commas; by default, those in the lockfile or the catalog"),
  lock: text("file", `use the versions in this lockfile; by default, in ${LOCK_FILE} if it exists`),
  from: text("file", "read a catalog instead of the service"),
  "catalog-out": text("file", "also write everything that was read, for --from"),
  strict: flag("reject other slugs when compiling: of tools, triggers, and handlers of createReceiver"),
  "api-version": API_VERSION,
  verbose: VERBOSE,
} as const;

export const command = declareCommand({
  usage: [
    ["--toolkits github,slack --out src/svc.gen.ts", ""],
    ["--out src/svc.gen.ts", `the toolkits in ${LOCK_FILE}`],
    ["--from catalog.json --out src/svc.gen.ts", "offline, from a catalog"],
  ],
  options: OPTIONS,
  progress: READING_TOOLS,
  environment: SERVICE,
  notes: `The file needs no import, but must be part of your TypeScript project. It types the slugs, arguments and results of
tools.execute, a session's execute, triggers.upsert and the handlers of createReceiver. It exports tools and triggers:
tools.GITHUB_CREATE_AN_ISSUE is the slug, and editors show its description. A .d.ts or .cts file has only types.
Toolkits that aren't in the lockfile are read in their latest version. The top of the file lists every version.`,
  exitCodes: {
    0: "done; an unchanged file isn't written",
    1: "error; see the message. Only generated files are replaced",
  },
  run: async (values, _words, terminal) => {
    const options = checkedValues(values);
    const { out, from, "catalog-out": catalogOut } = options;
    const lock = from === undefined ? await findLock(terminal, options.lock) : undefined;
    const catalog =
      from === undefined
        ? await readService(terminal, options, lock)
        : await readListed(terminal, from, options.toolkits);
    const text = generateTypes(catalog, commandOf(terminal, options, catalog), out, options.strict);
    for (const { slug, version, tools, trigger_types } of catalog.toolkits) {
      const locked = lock && Object.hasOwn(lock.toolkits, slug) ? ", locked" : "";
      const contents = `${counted(tools.length, "tool")}, ${counted(trigger_types.length, "trigger type")}`;
      print(terminal, `${slug} ${version}${locked}: ${contents}`);
    }
    await writeResult(terminal, out, text);
    if (catalogOut !== undefined) await writeResult(terminal, catalogOut, catalogText(catalog));
  },
});

type GenerateFlags = ReturnType<typeof checkedValues>;

async function readService(
  terminal: Terminal,
  { toolkits, lock: file = LOCK_FILE, apiVersion, verbose }: GenerateFlags,
  lock: ToolLock | undefined,
): Promise<Catalog> {
  const slugs = toolkitsToRead(toolkits, lock, file);
  const locked = Object.entries(lock?.toolkits ?? {}).map(([slug, { version }]) => [slug, version]);
  return await readCatalog(connect(terminal, verbose, { apiVersion }), {
    toolkits: slugs,
    versions: Object.fromEntries(locked),
  });
}

/** Reads toolkits of a catalog; all of them, if none is listed. */
async function readListed(terminal: Terminal, file: string, wanted: readonly string[] | undefined): Promise<Catalog> {
  const catalog = await readCatalogFile(terminal, file);
  const known = catalog.toolkits.map(({ slug }) => slug);
  const missing = wanted?.find((slug) => !known.includes(slug));
  if (missing !== undefined) {
    const hint = didYouMean(missing, known, ` It has ${known.join(", ")}.`);
    throw new Error(`The catalog ${file} has no toolkit ${missing}.${hint}`);
  }
  return { ...catalog, toolkits: catalog.toolkits.filter(({ slug }) => wanted?.includes(slug) ?? true) };
}

async function findLock(terminal: Terminal, file: string | undefined): Promise<ToolLock | undefined> {
  if (file === undefined && !existsSync(resolve(terminal.cwd, LOCK_FILE))) return undefined;
  return await readLockFile(terminal, file ?? LOCK_FILE);
}

/** The command for the top of the file: the same wherever and in whatever order it was written. */
function commandOf(
  { cwd }: Terminal,
  { out, lock, from, apiVersion, strict }: GenerateFlags,
  { toolkits }: Catalog,
): string {
  const path = (file: string) => relative(cwd, resolve(cwd, file)).replaceAll("\\", "/");
  const named: readonly (readonly [string, string | undefined])[] = [
    ["--toolkits", toolkits.map(({ slug }) => slug).join(",")],
    ["--lock", lock && path(lock)],
    ["--from", from && path(from)],
    ["--api-version", apiVersion],
    ["--out", path(out)],
  ];
  const words = named.flatMap(([name, value]) => (value === undefined ? [] : [name, quoted(value)]));
  return ["svc-sdk generate", ...words, ...(strict ? ["--strict"] : [])].join(" ");
}

/** @throws {UsageError} for an invalid option, or options that can't be combined. */
function checkedValues(values: ValuesOf<typeof OPTIONS>) {
  const { out, lock, from } = values;
  if (out === undefined) throw new UsageError("Pass the file to write with --out.");
  if (!/\.[cm]?ts$/.test(out))
    throw new UsageError(`--out must be a TypeScript file such as src/svc.gen.ts, not ${out}.`);
  const apiVersion = apiVersionIn(values["api-version"]);
  if (from !== undefined && lock !== undefined)
    throw new UsageError("--from and --lock can't be combined, because a catalog has its own versions.");
  if (from !== undefined && apiVersion !== undefined)
    throw new UsageError("--from and --api-version can't be combined, because a catalog needs no service.");
  return { ...values, out, apiVersion, toolkits: slugsIn("--toolkits", values.toolkits) };
}
