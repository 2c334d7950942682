import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type StartOptions, startEmulator } from "../../../src/emulator/node.js";
import { Svc } from "../../../src/index.js";

/** Name of the file that contains the state. */
export const FILE = "state.json";

/** Matches the file with which this process reserves a folder. */
export const ownLock = new RegExp(`^${process.pid}-[\\da-f-]{36}\\.lock$`);

/** Name of a file with which a process reserves a folder. */
export const lockOf = (pid: number) => `${pid}-${crypto.randomUUID()}.lock`;

/** An empty folder. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "svc-data-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** An emulator that keeps its state in a folder. Its clock is stopped, so a folder can equal a later snapshot. */
export async function started(data: string, options: StartOptions = {}) {
  const emulator = await startEmulator({ data, clock: { running: false }, ...options });
  onTestFinished(() => emulator.close());
  const svc = new Svc({ ...emulator.connection, maxRetries: 0 });
  const createIssue = (title: string) =>
    svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
      user_id: "user-4711",
      version: "latest",
      arguments: { owner: "octo-org", repo: "hello-world", title },
    });
  return { emulator, svc, createIssue };
}
