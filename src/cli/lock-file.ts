import type { ToolLock } from "../index.js";
import { toLock } from "../lock/make-lock.js";
import { readJson } from "./json-file.js";

/** Where the lock lies if nobody says otherwise. */
export const LOCK_FILE = "svc.lock.json";

/**
 * Reads a lock file.
 *
 * @throws {ConfigError} naming the first place that does not fit.
 */
export async function readLockFile(file: string): Promise<ToolLock> {
  return toLock(await readJson(file, "lock"), file);
}
