import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and its missing parents. Node's `recursive` option never returns for a folder below `/proc`.
 *
 * @returns The outermost folder that was created, or `undefined` if all of them existed.
 */
export function makeFolder(folder: string, mode?: number): string | undefined {
  if (isFolder(folder)) return undefined;
  const parent = dirname(folder);
  const outermost = parent === folder ? undefined : makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!isFolder(folder)) throw error;
  }
  return outermost ?? folder;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // The path is missing or can't be reached: creating the folder says why.
    return false;
  }
}
