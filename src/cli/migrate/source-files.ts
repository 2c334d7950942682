import { randomUUID } from "node:crypto";
import { constants, copyFile, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf } from "../../shared/message-of.js";

const SOURCE = /\.([cm]?[jt]s|[jt]sx)$/;
const DECLARATION = /\.d\.[cm]?ts$/;
/** Folders that a project doesn't write by hand. */
const SKIPPED = new Set(["node_modules", "dist", "build", "coverage"]);

/**
 * The source files below paths, absolute and in order. A file that is named is always one of them.
 *
 * @throws {Error} if a path doesn't exist.
 */
export async function findSources(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const entry = await stat(path).catch((error: Error) => {
        throw new Error(`Can't read ${path}: ${error.message}`, { cause: error });
      });
      return entry.isDirectory() ? await below(resolve(path)) : [resolve(path)];
    }),
  );
  return [...new Set(found.flat())].sort();
}

async function below(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return SKIPPED.has(entry.name) || entry.name.startsWith(".") ? [] : await below(path);
      return entry.isFile() && SOURCE.test(entry.name) && !DECLARATION.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat();
}

/** Reads a file; `undefined` if it isn't UTF-8. A byte order mark stays part of the text. */
export async function readSource(path: string): Promise<string | undefined> {
  const bytes = await readFile(path);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Writes all files or none: each is written next to its old version first, and only then do they replace them. If one
 * can't be replaced, the others get their contents back.
 *
 * @param contents New contents by path.
 */
export async function writeSources(contents: ReadonlyMap<string, string>): Promise<void> {
  const drafts: { readonly draft: string; readonly target: string; readonly old: string }[] = [];
  const replaced: typeof drafts = [];
  try {
    for (const [path, text] of contents) {
      const target = await realpath(path); // A rename would replace a link itself.
      const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
      drafts.push({ draft, target, old: `${draft}.old` });
      const { mode } = await stat(target);
      await writeFile(draft, text, { flag: "wx", mode });
    }
    for (const each of drafts) {
      await copyFile(each.target, each.old, constants.COPYFILE_EXCL);
      await rename(each.draft, each.target);
      replaced.push(each);
    }
  } catch (error) {
    for (const { target, old } of replaced) await rename(old, target);
    await remove(drafts.flatMap(({ draft, old }) => [draft, old]));
    throw new Error(`Nothing was written: ${messageOf(error)}`, { cause: error });
  }
  await remove(replaced.map(({ old }) => old));
}

async function remove(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file, { force: true }).catch(() => undefined)));
}
