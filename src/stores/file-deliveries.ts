import * as option from "../errors/option-rules.js";
import { type DedupeStore, RETENTION, type RetentionOptions } from "../webhooks/dedupe-store.js";
import { NOW, openFile } from "./file-client.js";

/** Options of {@link fileDeliveries}. */
export interface FileDeliveriesOptions extends RetentionOptions {}

const TABLE = `
  CREATE TABLE IF NOT EXISTS deliveries (
    id TEXT PRIMARY KEY, token TEXT NOT NULL, state TEXT NOT NULL, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS deliveries_expires ON deliveries (expires)`;

// One statement each, so that no other process acts in between. Without RETURNING: reading its row with get() would
// hide that the statement's commit failed, as on a full disk.
const hold = (condition: string) => `
  INSERT INTO deliveries VALUES (?1, ?2, ?3, ${NOW} + ?4) ON CONFLICT (id) DO UPDATE
  SET token = excluded.token, state = excluded.state, expires = excluded.expires
  WHERE expires <= ${NOW} OR ${condition}`;
const CLAIM = hold("state = 'released'");
const EXTEND = hold("(token = ?2 AND (state = 'running' OR (state = 'committed' AND ?3 = 'committed')))");
const FIND = "SELECT state FROM deliveries WHERE id = ?";
const RELEASE = "UPDATE deliveries SET state = 'released' WHERE id = ? AND token = ? AND state = 'running'";
const DELETE_EXPIRED = `
  DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE expires <= ${NOW} AND id <> ? LIMIT 5)`;

/**
 * Creates a store of handled deliveries in a file: for one machine, without a server. Processes that share the file run
 * each event once, and a restart keeps the records. Leases are measured by the machine's clock.
 *
 * The file is an SQLite database. It needs `node:sqlite`: Node 24, Node from 22.13 on, which prints a warning, or Deno.
 * A power failure can lose the newest records, and their events can then run again.
 *
 * @param path of the file, on a local disk. It's created if it's missing, in a folder that exists.
 * @throws {ConfigError} if an option isn't usable, the file can't be opened, or the runtime has no `node:sqlite`.
 */
export function fileDeliveries(path: string, options: FileDeliveriesOptions = {}): DedupeStore {
  const { retentionMs } = option.checkAll("fileDeliveries", options, { retentionMs: RETENTION });
  const prepare = openFile("fileDeliveries", path, TABLE);
  const claim = prepare(CLAIM);
  const extend = prepare(EXTEND);
  const find = prepare(FIND);
  const release = prepare(RELEASE);
  const deleteExpired = prepare(DELETE_EXPIRED);
  const isHeld = (statement: typeof claim, id: string, token: string, state: string, ms: number) =>
    Number(statement.run(id, token, state, ms).changes) === 1;
  // Async, so that an error of the database is a rejection.
  return {
    async claim(id, leaseMs) {
      const token = crypto.randomUUID();
      deleteExpired.run(id);
      if (isHeld(claim, id, token, "running", Math.ceil(leaseMs))) return { status: "claimed", token };
      return { status: find.get(id)?.["state"] === "committed" ? "committed" : "running" };
    },
    async renew(id, token, leaseMs) {
      return isHeld(extend, id, token, "running", Math.ceil(leaseMs));
    },
    async commit(id, token) {
      return isHeld(extend, id, token, "committed", retentionMs);
    },
    async release(id, token) {
      release.run(id, token);
    },
  };
}
