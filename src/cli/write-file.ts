import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { chmod, chown, open, readlink, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** The stats of the target of a path, through links; `undefined` if there is nothing. */
export async function statOf(path: string): Promise<Stats | undefined> {
  return await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Whether bytes are written to it, and not kept there: /dev/null, a terminal, a pipe. */
export function canStream(stats: Stats): boolean {
  return stats.isCharacterDevice() || stats.isFIFO();
}

/** Writes a file completely or not at all, with its mode. Of a link, it writes the target. */
export async function overwrite(path: string, text: string): Promise<void> {
  const stats = await statOf(path);
  if (stats && canStream(stats)) return await writeThrough(path, text);
  if (stats && !stats.isFile()) throw new Error("it isn't a file, a pipe or a device that takes text.");
  const target = await behindLinks(path);
  // Next to the file, because a rename is atomic only within a file system. The random name and "wx" make sure that no
  // planted link is followed.
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, text, { flag: "wx", mode: stats?.mode });
    if (stats) await copyAccess(stats, draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function copyAccess({ uid, gid, mode }: Stats, draft: string): Promise<void> {
  // Only root may give a file to another user. Before chmod, because a new owner resets some bits.
  await chown(draft, uid, gid).catch(() => undefined);
  await chmod(draft, mode);
}

async function writeThrough(path: string, text: string): Promise<void> {
  // Fails immediately if nothing reads a pipe. Opening it to write would wait for a reader.
  const probe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENXIO" ? new Error("nothing reads this pipe.", { cause: error }) : error;
  });
  try {
    const file = await open(path, constants.O_WRONLY);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  } finally {
    await probe.close();
  }
}

/** The target of a link, even if it doesn't exist yet. A rename would replace the link itself. */
async function behindLinks(path: string): Promise<string> {
  const target = await readlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EINVAL" || error.code === "ENOENT") return undefined;
    throw error;
  });
  return target === undefined ? path : behindLinks(resolve(dirname(path), target));
}
