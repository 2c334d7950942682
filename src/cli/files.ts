import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, readlink, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Catalog, toCatalog } from "../catalog/catalog.js";
import { toLock } from "../catalog/lock/lock-file.js";
import type { ToolLock } from "../index.js";
import { child } from "../shared/json.js";
import { makeFolder } from "../shared/make-folder.js";
import { messageOf } from "../shared/message-of.js";
import { LOCK_FORMAT } from "../shared/tools.js";
import { text } from "./command.js";
import { print } from "./print.js";

/**
 * Reads a text file.
 *
 * @param what - The user's word for it, for the message: `lockfile`.
 */
export async function readText(file: string, what: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new Error(`Can't read the ${what} ${file}: ${error.message}`, { cause: error });
  });
  // Editors and shells on Windows write a byte order mark.
  return text.replace(/^\uFEFF/, "");
}

/** Reads a JSON file, as {@link readText} reads its text. */
export async function readJson(file: string, what: string): Promise<unknown> {
  const text = await readText(file, what);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The ${what} ${file} isn't valid JSON: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Writes a file completely or not at all, and only if it changes, so that a watching build doesn't run needlessly.
 * Prints whether it was written.
 *
 * @throws {Error} if the file exists and svc-sdk didn't write it, or if it can't be read.
 */
export async function writeResult(file: string, text: string): Promise<void> {
  const old = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new Error(`Can't write ${file}: the existing file can't be read: ${error.message}`, { cause: error });
  });
  if (old === text) return print(`${file} is up to date.`);
  if (old !== undefined && old.trim() !== "" && kindOf(old) !== kindOf(text)) {
    throw new Error(`${file} already exists, and svc-sdk didn't write it. Move it, or choose another name.`);
  }
  try {
    makeFolder(dirname(file));
    await overwrite(file, text);
  } catch (error) {
    throw new Error(`Can't write ${file}: ${messageOf(error)}`, { cause: error });
  }
  print(`Wrote ${file}.`);
}

/** Writes a file completely or not at all. Of a link, it writes the target. */
export async function overwrite(file: string, text: string): Promise<void> {
  const target = await behindLinks(file);
  // Next to the file, because a rename is atomic only within a file system. The random name and "wx" make sure that no
  // planted link is followed.
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The target of a link, even if it doesn't exist yet. A rename would replace the link itself. */
async function behindLinks(file: string): Promise<string> {
  const target = await readlink(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EINVAL" || error.code === "ENOENT") return undefined;
    throw error;
  });
  return target === undefined ? file : behindLinks(resolve(dirname(file), target));
}

/**
 * The start that all files of a kind share, however they are formatted: a comment, or the first field of a JSON object.
 */
function kindOf(text: string): string {
  // Another format of the same kind of file may be replaced.
  return text
    .slice(0, 200)
    .replace(/\s/g, "")
    .split(",", 1)
    .join()
    .slice(0, 60)
    .replace(/^\{"lock":\d$/, "lock");
}

/**
 * Reads a JSON file, or the default export of a module.
 *
 * @param what - The user's word for it, for the message: `toolkits`.
 */
export async function readModule(file: string, what: string): Promise<unknown> {
  if (file.endsWith(".json")) return readJson(file, what);
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(resolve(file)).href);
    return module.default;
  } catch (error) {
    throw new Error(`Can't load the ${what} ${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Reads a snapshot, which `svc-sdk lock` and `svc-sdk generate` write. */
export async function readSnapshot(file: string): Promise<Catalog> {
  return toCatalog(await readJson(file, "snapshot"), file);
}

export const LOCK_FILE = "svc.lock.json";

export const LOCK = { ...text("file", "the lockfile"), default: LOCK_FILE } as const;

/**
 * Reads a lockfile.
 *
 * @param isReplaced - Whether it may have an older format, because it is written again.
 * @throws {Error} if it doesn't exist.
 * @throws {ConfigError} with the first invalid place.
 */
export async function readLockFile(file: string, isReplaced = false): Promise<ToolLock> {
  if (!existsSync(file)) throw new Error(`No lockfile ${file}. Create it with svc-sdk lock --toolkits github,slack.`);
  const content = await readJson(file, "lockfile");
  // A file of an older format names its toolkits, which is enough to write it again.
  const isOld = isReplaced && [1, 2].includes(Number(child(content, "lock") ?? 0));
  return toLock(isOld ? { ...Object(content), lock: LOCK_FORMAT, tools: {} } : content, file);
}

/** The folder of the package. Every file of the command is built to dist/. */
export const OWN_FOLDER = new URL("../", import.meta.url);

export async function ownVersion(): Promise<string> {
  const manifest = await readFile(new URL("package.json", OWN_FOLDER), "utf8");
  // Our own file has one.
  return (JSON.parse(manifest) as { version: string }).version;
}
