import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file as a whole or not at all, and only when it changes: a build that watches it does not run for nothing.
 *
 * @returns Whether there was anything to write.
 */
export async function writeIfChanged(file: string, text: string): Promise<boolean> {
  const old = await readFile(file, "utf8").catch(() => undefined);
  if (old === text) return false;
  // Beside the file, because only within one file system is a rename one step.
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, text);
    await rename(draft, file);
  } catch (error) {
    // There may be no folder to clean up in; the first failure is the one to tell.
    await rm(draft, { force: true }).catch(() => undefined);
    throw new Error(`Cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return true;
}
