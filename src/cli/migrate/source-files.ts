import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

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
