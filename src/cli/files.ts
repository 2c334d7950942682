import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Catalog, toCatalog } from "../catalog/catalog.js";
import { toLock } from "../catalog/lock/lock-file.js";
import type { ToolLock } from "../index.js";
import { makeFolder } from "../shared/make-folder.js";
import { messageOf } from "../shared/message-of.js";
import { text, UsageError } from "./command.js";
import { print } from "./print.js";
import { withoutMark } from "./read-value.js";
import type { Terminal } from "./terminal.js";
import { canStream, overwrite, statOf } from "./write-file.js";

/**
 * Reads a text file.
 *
 * @param what - The user's word for it, for the message: `lockfile`.
 */
export async function readText({ cwd }: Terminal, file: string, what: string): Promise<string> {
  const text = await readFile(resolve(cwd, file), "utf8").catch((error: Error) => {
    throw new Error(`Can't read the ${what} ${file}: ${error.message}`, { cause: error });
  });
  return withoutMark(text);
}

/** Reads a JSON file, as {@link readText} reads its text. */
export async function readJson(terminal: Terminal, file: string, what: string): Promise<unknown> {
  const text = await readText(terminal, file, what);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The ${what} ${file} isn't valid JSON: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Writes a file completely or not at all, and only if it changes, so that a watching build doesn't run needlessly. A
 * device or a pipe gets the text as it is. Prints whether it was written.
 *
 * @throws {Error} if the file exists and isn't an earlier result of the same kind, or if it can't be read.
 */
export async function writeResult(terminal: Terminal, file: string, text: string): Promise<void> {
  const path = resolve(terminal.cwd, file);
  const old = await contentOf(path).catch((error: Error) => {
    throw new Error(`Can't write ${file}: the existing file can't be read: ${error.message}`, { cause: error });
  });
  if (old === text) return print(terminal, `${file} is up to date.`);
  if (old !== undefined && old.trim() !== "" && kindOf(old) !== kindOf(text)) {
    throw new Error(
      `${file} already exists, and isn't a file that svc-sdk writes there. Move it, or choose another name.`,
    );
  }
  try {
    makeFolder(dirname(path));
    await overwrite(path, text);
  } catch (error) {
    throw new Error(`Can't write ${file}: ${messageOf(error)}`, { cause: error });
  }
  print(terminal, `Wrote ${file}.`);
}

/** The content of a file; `undefined` if it doesn't exist, or is a device or a pipe. */
async function contentOf(path: string): Promise<string | undefined> {
  const stats = await statOf(path);
  return stats === undefined || canStream(stats) ? undefined : await readFile(path, "utf8");
}

/** The start that all files of a kind share, however they are formatted. */
function kindOf(text: string): string {
  const start = text.slice(0, 200).replace(/\s/g, "");
  // The toolkits of a lockfile are an object, those of a catalog a list. Another format of the same kind is replaced.
  const [json] = /^\{"formatVersion":\d+,"toolkits":[[{]/.exec(start) ?? [];
  return json?.replace(/\d+/, "") ?? start.slice(0, 60);
}

/**
 * Reads a JSON file, or the default export of a module.
 *
 * @param what - The user's word for it, for the message: `toolkits`.
 */
export async function readModule(terminal: Terminal, file: string, what: string): Promise<unknown> {
  if (file.endsWith(".json")) return readJson(terminal, file, what);
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(resolve(terminal.cwd, file)).href);
    return module.default;
  } catch (error) {
    throw new Error(`Can't load the ${what} ${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Reads a catalog, which `svc-sdk lock` and `svc-sdk generate` write. */
export async function readCatalogFile(terminal: Terminal, file: string): Promise<Catalog> {
  return toCatalog(await readJson(terminal, file, "catalog"), file);
}

export const LOCK_FILE = "svc.lock.json";

export const LOCK = { ...text("file", "the lockfile"), default: LOCK_FILE } as const;

/**
 * The toolkits to read: those of `--toolkits`, otherwise those in the lockfile.
 *
 * @throws {UsageError} without any.
 */
export function toolkitsToRead(
  given: readonly string[] | undefined,
  lock: ToolLock | undefined,
  file: string,
): readonly string[] {
  const slugs = given ?? Object.keys(lock?.toolkits ?? {});
  if (slugs.length > 0) return slugs;
  throw new UsageError(`${lock ? `${file} has no toolkits` : `No ${file}`}. Pass --toolkits github,slack.`);
}

/**
 * Reads a lockfile.
 *
 * @throws {Error} if it doesn't exist.
 * @throws {ConfigError} with the first invalid place.
 */
export async function readLockFile(terminal: Terminal, file: string): Promise<ToolLock> {
  if (!existsSync(resolve(terminal.cwd, file)))
    throw new Error(`No lockfile ${file}. Create it with svc-sdk lock --toolkits github,slack.`);
  return toLock(await readJson(terminal, file, "lockfile"), file);
}

/** The folder of the package. In the package, this code is in a file of dist/. */
export const OWN_FOLDER = new URL(import.meta.url.endsWith("/src/cli/files.ts") ? "../../" : "../", import.meta.url);

export async function ownVersion(): Promise<string> {
  const manifest = await readFile(new URL("package.json", OWN_FOLDER), "utf8");
  // Our own file has one.
  return (JSON.parse(manifest) as { version: string }).version;
}
