import { existsSync } from "node:fs";
import type { ToolLock } from "../index.js";
import { toLock } from "../lock/make-lock.js";
import { child } from "../shared/json.js";
import { readJson } from "./files.js";

/** The default lockfile. */
export const LOCK_FILE = "svc.lock.json";

/** The option of commands that read it. */
export const LOCK = { type: "string", value: "file", default: LOCK_FILE, summary: "the lockfile" } as const;

/**
 * Reads a lockfile.
 *
 * @param isReplaced - Whether it may have the older format, because it is written again.
 * @throws {Error} if it doesn't exist.
 * @throws {ConfigError} with the first invalid place.
 */
export async function readLockFile(file: string, isReplaced = false): Promise<ToolLock> {
  if (!existsSync(file)) throw new Error(`No lockfile ${file}. Create it with svc-sdk lock --toolkits github,slack.`);
  const content = await readJson(file, "lockfile");
  // A file of the older format names its toolkits, which is enough to write it again.
  const isOld = isReplaced && child(content, "lock") === 1;
  return toLock(isOld ? { ...Object(content), lock: 2, tools: {} } : content, file);
}
