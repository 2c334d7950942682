import { ConfigError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import { nodeModule } from "../shared/node-module.js";
import { type DedupeStore, RETENTION, type RetentionOptions } from "../webhooks/dedupe-store.js";

/** Options of {@link fileDeliveries}. */
export interface FileDeliveriesOptions extends RetentionOptions {}

/** The parts of `node:sqlite` that the store uses. */
interface Sqlite {
  readonly DatabaseSync: new (path: string) => { exec(sql: string): void; prepare(sql: string): Statement };
}
interface Statement {
  get(...values: readonly (string | number)[]): Readonly<Record<string, unknown>> | undefined;
  run(...values: readonly (string | number)[]): unknown;
}

/** The machine's clock, in milliseconds. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

const TABLE = `
  PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS deliveries (
    id TEXT PRIMARY KEY, token TEXT NOT NULL, state TEXT NOT NULL, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS deliveries_expires ON deliveries (expires)`;

// One statement each, so that no other process acts in between.
const hold = (condition: string) => `
  INSERT INTO deliveries VALUES (?1, ?2, ?3, ${NOW} + ?4) ON CONFLICT (id) DO UPDATE
  SET token = excluded.token, state = excluded.state, expires = excluded.expires
  WHERE expires <= ${NOW} OR ${condition} RETURNING 1`;
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
  option.check("fileDeliveries", "path", path, option.NAME);
  const { retentionMs } = option.checkAll("fileDeliveries", options, { retentionMs: RETENTION });
  const prepare = open(path);
  const claim = prepare(CLAIM);
  const extend = prepare(EXTEND);
  const find = prepare(FIND);
  const release = prepare(RELEASE);
  const deleteExpired = prepare(DELETE_EXPIRED);
  // Async, so that an error of the database is a rejection.
  return {
    async claim(id, leaseMs) {
      const token = crypto.randomUUID();
      deleteExpired.run(id);
      if (claim.get(id, token, "running", Math.ceil(leaseMs))) return { status: "claimed", token };
      return { status: find.get(id)?.["state"] === "committed" ? "committed" : "running" };
    },
    async renew(id, token, leaseMs) {
      return extend.get(id, token, "running", Math.ceil(leaseMs)) !== undefined;
    },
    async commit(id, token) {
      return extend.get(id, token, "committed", retentionMs) !== undefined;
    },
    async release(id, token) {
      release.run(id, token);
    },
  };
}

/** Opens the database, and returns the function that prepares its statements. */
function open(path: string): (sql: string) => Statement {
  const sqlite = nodeModule<Sqlite>("node:sqlite");
  if (!sqlite) {
    throw new ConfigError("fileDeliveries: this runtime has no node:sqlite. Use Node 24, or Node from 22.13 on.");
  }
  try {
    const database = new sqlite.DatabaseSync(path);
    database.exec(TABLE);
    return (sql) => database.prepare(sql);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown error";
    throw new ConfigError(
      `fileDeliveries: can't use ${path} (${reason}). Check the path, and that its folder exists.`,
      {
        cause: error,
      },
    );
  }
}
