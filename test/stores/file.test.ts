import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ConfigError } from "../../src/index.js";
import { fileDeliveries } from "../../src/stores/index.js";
import { sized } from "../support/size.js";
import { folderForFiles, hasSqlite, NEEDS_SQLITE } from "./files.js";
import { programOf } from "./postgres-program.js";

const COUNT = sized(25, 1_000);

describe.skipIf(!hasSqlite)(`fileDeliveries${NEEDS_SQLITE}`, () => {
  const folder = folderForFiles();
  const start = programOf("test/stores/file-process.ts");

  /** Starts processes that receive the same events, and replaces those that die. Returns the events that they handled. */
  async function receiveAll(path: string, kills: readonly number[], timeoutMs = 60_000): Promise<string[]> {
    const handled: string[] = [];
    const run = async (kill: number): Promise<void> => {
      const process = start({ PATH: path, COUNT: String(COUNT), KILL: String(kill), TIMEOUT_MS: String(timeoutMs) });
      let isDone = false;
      process.on("message", (message) => {
        if (message === "done") isDone = true;
        else handled.push(String(message));
      });
      // Its last messages may arrive after its exit.
      await Promise.all([once(process, "exit"), once(process, "disconnect")]);
      if (!isDone) await run(0);
    };
    await Promise.all(kills.map(run));
    return handled;
  }
  const events = Array.from({ length: COUNT }, (_, index) => `msg_${index}`).sort();

  test("runs each event once in several processes at the same time, and not again after a restart", async () => {
    const path = join(folder.path, "once");
    expect((await receiveAll(path, sized([0, 0], [0, 0, 0]))).sort()).toEqual(events);
    expect(await receiveAll(path, [0])).toEqual([]);
  });

  test("loses no event if processes are killed while handlers run", async () => {
    // The claim of a process that died ends with this time. On a busy machine, other handlers are too late as well.
    const handled = await receiveAll(join(folder.path, "killed"), sized([5, 0], [5, 10, 0]), 500);
    expect([...new Set(handled)].sort()).toEqual(events);
  });

  test("fails if a record can't be written, as on a full disk", async () => {
    const path = join(folder.path, "full");
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    // Each write fails as the disk's would: when its statement is committed.
    const condition = "REFERENCES writable (state) DEFERRABLE INITIALLY DEFERRED";
    database.exec(`
      CREATE TABLE writable (state TEXT PRIMARY KEY); INSERT INTO writable VALUES ('running');
      CREATE TABLE deliveries (id TEXT PRIMARY KEY, token TEXT, state TEXT ${condition}, expires INTEGER)`);
    const store = fileDeliveries(path);
    const claim = await store.claim("a", 60_000);
    const token = "token" in claim ? claim.token : "";
    await expect(store.commit("a", token)).rejects.toThrow("FOREIGN KEY constraint failed");
    database.exec("PRAGMA foreign_keys = OFF; DELETE FROM writable");
    await expect(store.renew("a", token, 60_000)).rejects.toThrow("FOREIGN KEY constraint failed");
    await expect(store.claim("b", 60_000)).rejects.toThrow("FOREIGN KEY constraint failed");
    expect(database.prepare("SELECT id, state FROM deliveries").all()).toEqual([{ id: "a", state: "running" }]);
  });

  test("deletes expired records, a few with each claim", async () => {
    const path = join(folder.path, "expired");
    const store = fileDeliveries(path, { retentionMs: 1 });
    for (const id of ["a", "b", "c"]) {
      const claim = await store.claim(id, 1);
      expect(await store.commit(id, "token" in claim ? claim.token : "")).toBe(true);
    }
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    await expect
      .poll(() => database.prepare("SELECT 1 FROM deliveries WHERE expires > unixepoch('subsec') * 1000").get())
      .toBeUndefined();
    await store.claim("d", 60_000);
    expect(database.prepare("SELECT id FROM deliveries").all()).toEqual([{ id: "d" }]);
  });

  test("opens a new file that another process is preparing at the same time", async () => {
    const path = join(folder.path, "new");
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    other.exec("BEGIN IMMEDIATE");
    const { exec } = DatabaseSync.prototype;
    const spy = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (this: DatabaseSync, sql) {
      try {
        exec.call(this, sql);
      } catch (error) {
        // The other process ends its step as soon as this one has met it.
        exec.call(other, "COMMIT");
        throw error;
      }
    });
    onTestFinished(() => spy.mockRestore());
    expect(await fileDeliveries(path).claim("a", 60_000)).toMatchObject({ status: "claimed" });
    expect(other.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  });

  test("fails at start if the file can't be opened, and names it", () => {
    const path = join(folder.path, "missing", "file");
    expect(() => fileDeliveries(path)).toThrow(ConfigError);
    expect(() => fileDeliveries(path)).toThrow(`fileDeliveries: can't use ${path} (unable to open database file).`);
    const occupied = join(folder.path, "folder");
    mkdirSync(occupied);
    expect(() => fileDeliveries(occupied)).toThrow(`can't use ${occupied}`);
  });
});

test("fileDeliveries rejects a missing path and options that it doesn't know", () => {
  expect(() => fileDeliveries("")).toThrow("fileDeliveries: path must be a non-empty string.");
  expect(() => fileDeliveries("x", { retentionMs: 0 })).toThrow("retentionMs must be an integer above 0");
  // @ts-expect-error: no option.
  expect(() => fileDeliveries("x", { path: "y" })).toThrow("Unknown option path");
});
