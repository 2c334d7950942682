import { existsSync } from "node:fs";
import type { ToolLock } from "../index.js";
import { toLock } from "../lock/make-lock.js";
import { readJson } from "./files.js";

/** The default lockfile. */
export const LOCK_FILE = "svc.lock.json";

/**
 * Reads a lockfile.
 *
 * @throws {Error} if it doesn't exist.
 * @throws {ConfigError} with the first invalid place.
 */
export async function readLockFile(file: string): Promise<ToolLock> {
  if (!existsSync(file)) throw new Error(`No lockfile ${file}. Create it with svc-sdk lock --toolkits github,slack.`);
  return toLock(await readJson(file, "lockfile"), file);
}
