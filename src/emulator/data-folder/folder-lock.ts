import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { makeFolder } from "../../shared/make-folder.js";

/** How often the owner of a lock renews its file, in milliseconds. */
export const RENEWED_MS = 250;

/** How long a file isn't renewed before its owner counts as ended, in milliseconds. */
const ENDED_MS = 2_000;

/** Folders that this thread has reserved. While it waits, it can't renew its files. */
const reserved = new Set<string>();

/**
 * Creates a folder, and reserves it for this process with a file in it. Removes the files of processes that have ended.
 *
 * @throws {Error} if another process has reserved it.
 */
export function reserveFolder(folder: string) {
  makeFolder(folder, 0o700);
  const real = realpathSync(folder);
  if (reserved.has(real)) throw new Error("this process uses it already");
  // Containers with a common volume can have the same process id.
  const own = `${process.pid}-${crypto.randomUUID()}.lock`;
  const file = join(real, own);
  const place = placeOfProcess();
  writeFileSync(file, place, { flag: "wx", mode: 0o600 });
  reserved.add(real);
  /** Lets other processes use the folder. */
  const release = () => {
    reserved.delete(real);
    rmSync(file, { force: true });
  };
  // Write first and look afterwards: of two processes that start at the same time, at least one sees the other.
  for (const other of readdirSync(real)) {
    if (other === own || !other.endsWith(".lock")) continue;
    if (isInUse(join(real, other), file, place)) {
      release();
      throw new Error(
        `process ${Number.parseInt(other, 10)} uses it. Stop it, or delete ${other} if it isn't an emulator`,
      );
    }
    rmSync(join(real, other), { force: true });
  }
  return {
    /**
     * Tells other processes that the folder is in use.
     *
     * @throws {Error} if another process has taken it over.
     */
    renew: () => writeFileSync(file, place, { flag: "r+" }),
    /** @throws {Error} if another process has taken the folder over. */
    check: () => {
      if (changedAt(file) === undefined) throw new Error("another process took it over while this one was suspended");
    },
    release,
  };
}

/** A folder's reservation for this process. */
export type FolderLock = ReturnType<typeof reserveFolder>;

/**
 * Whether the owner of a lock file is running. Only an id of this machine and this container says so; other owners have
 * to renew their file. Its time is compared with that of a file on the same volume, whose clock can differ from ours.
 */
function isInUse(file: string, own: string, place: string): boolean {
  const id = Number.parseInt(basename(file), 10);
  const seen = changedAt(file);
  if (seen === undefined) return false;
  if (readFileSync(file, "utf8") === place && id !== process.pid) return isRunning(id);
  const untilEnded = ENDED_MS - ((changedAt(own) ?? seen) - seen);
  for (let waited = 0; waited < untilEnded; waited += RENEWED_MS) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RENEWED_MS);
    const now = changedAt(file);
    if (now !== seen) return now !== undefined;
  }
  return false;
}

function changedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Where process ids mean the same: this machine since it started, and in Linux, this container. */
function placeOfProcess(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // A process of another user can't be signaled.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
