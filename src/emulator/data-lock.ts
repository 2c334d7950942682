import { readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Folders that this process has reserved. */
const reserved = new Set<string>();

/**
 * Reserves a folder for this process with a file that names it. Files of processes that have ended are removed.
 *
 * @returns a function that releases the folder.
 * @throws {Error} if another process has reserved it.
 */
export function lockFolder(folder: string): () => void {
  const real = realpathSync(folder);
  if (reserved.has(real)) throw new Error("this process uses it already");
  const own = join(real, `${process.pid}.lock`);
  // An earlier process may have had the same id, as in a container.
  rmSync(own, { force: true });
  writeFileSync(own, "", { flag: "wx", mode: 0o600 });
  reserved.add(real);
  const unlock = () => {
    reserved.delete(real);
    rmSync(own, { force: true });
  };
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

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // A process of another user can't be signaled.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
