import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/** Whether this Node has the database that files of deliveries are. The oldest supported one doesn't. */
export const hasSqlite = process.getBuiltinModule("node:sqlite") !== undefined;
export const NEEDS_SQLITE = hasSqlite ? "" : " [skipped: this Node has no node:sqlite]";

/** A folder for the files of this `describe`. */
export function folderForFiles(): { readonly path: string } {
  const folder = { path: "" }; // Filled before the first test.
  beforeAll(() => void Object.assign(folder, { path: mkdtempSync(join(tmpdir(), "svc-files-")) }));
  afterAll(() => rmSync(folder.path, { recursive: true, force: true }));
  return folder;
}
