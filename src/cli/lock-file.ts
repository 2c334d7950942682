import { existsSync } from "node:fs";
import type { ToolLock } from "../index.js";
import { toLock } from "../lock/make-lock.js";
import { readJson } from "./json-file.js";

/** Where the lock lies if nobody says otherwise. */
export const LOCK_FILE = "svc.lock.json";

/**
 * Reads a lock file.
 *
 * @throws {Error} where there is none.
 * @throws {ConfigError} naming the first place that does not fit.
 */
export async function readLockFile(file: string): Promise<ToolLock> {
  if (!existsSync(file)) throw new Error(`There is no lock ${file}. svc lock --toolkits github,slack writes one.`);
  return toLock(await readJson(file, "lock"), file);
}
