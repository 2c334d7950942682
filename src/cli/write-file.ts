import { randomUUID } from "node:crypto";
import { mkdir, readFile, readlink, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { print } from "./print.js";

/**
 * Writes a file as a whole or not at all, and only when it changes: a build that watches it does not run for nothing. Prints
 * which it was.
 *
 * @throws {Error} where a file lies that no such command wrote, or that cannot be read.
 */
export async function writeResult(file: string, text: string): Promise<void> {
  print((await writeIfChanged(file, text)) ? `Wrote ${file}.` : `${file} is up to date.`);
}

async function writeIfChanged(file: string, text: string): Promise<boolean> {
  const old = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new Error(`Cannot write ${file}: what is there cannot be read: ${error.message}`, { cause: error });
  });
  if (old === text) return false;
  if (old !== undefined && old.trim() !== "" && kindOf(old) !== kindOf(text)) {
    throw new Error(`${file} is there already, and svc did not write it. Move it away, or choose another name.`);
  }
  try {
    await mkdir(dirname(file), { recursive: true });
    await replace(await behindLinks(file), text);
  } catch (error) {
    throw new Error(`Cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return true;
}

async function replace(file: string, text: string): Promise<void> {
  // Beside the file, because only within one file system is a rename one step. Nobody can guess the name, and what is there
  // already is not written to, so no link that somebody planted is followed.
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, file);
  } catch (error) {
    // There may be no folder to clean up in; the first failure is the one to tell.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The file that a link leads to, also where it is not there yet: a rename would put a file in place of the link. */
async function behindLinks(file: string): Promise<string> {
  const target = await readlink(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EINVAL" || error.code === "ENOENT") return undefined;
    throw error;
  });
  return target === undefined ? file : behindLinks(resolve(dirname(file), target));
}

/** What all files of one kind begin with, however they were formatted since: a comment, or the first field of a JSON object. */
function kindOf(text: string): string {
  return text.slice(0, 200).replace(/\s/g, "").split(",", 1).join().slice(0, 60);
}
