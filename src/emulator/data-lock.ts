import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Start times of a process may be measured this differently, in milliseconds. */
const SAME_START_MS = 2_000;

/**
 * Reserves a folder for this process with a file that names it. Files of processes that have ended are removed.
 *
 * @returns a function that releases the folder.
 * @throws {Error} if another process has reserved it.
 */
export function lockFolder(folder: string): () => void {
  const own = join(folder, fileOf(process.pid));
  // An earlier process may have had the same id, as in a container.
  if (wasWrittenHere(own)) throw new Error("this process uses it already");
  writeFileSync(own, String(startedAt()), { mode: 0o600 });
  const unlock = () => rmSync(own, { force: true });
  // Write first and look afterwards: of two processes that start at the same time, at least one sees the other.
  for (const file of readdirSync(folder)) {
    const [, id] = /^(\d+)\.lock$/.exec(file) ?? [];
    if (id === undefined || Number(id) === process.pid) continue;
    if (isRunning(Number(id))) {
      unlock();
      throw new Error(`process ${id} uses it. Stop it, or delete ${file} if it isn't an emulator`);
    }
    rmSync(join(folder, file), { force: true });
  }
  return unlock;
}

const fileOf = (id: number) => `${id}.lock`;

const startedAt = () => Date.now() - process.uptime() * 1_000;

function wasWrittenHere(file: string): boolean {
  try {
    return Math.abs(Number(readFileSync(file, "utf8")) - startedAt()) < SAME_START_MS;
  } catch {
    return false;
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
