// A custom store of handled deliveries, in SQLite, and its contract. Run it with: node examples/own-store.ts
// #region store
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { dedupeContract } from "svc-sdk/testing/stores";
import type { DedupeStore } from "svc-sdk/webhooks";

const RETENTION_MS = 3 * 24 * 60 * 60 * 1_000;
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"; // The database's clock, in milliseconds.

export function sqliteStore(path: string): DedupeStore {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS deliveries (
      id TEXT PRIMARY KEY, token TEXT NOT NULL, committed INTEGER NOT NULL, expires INTEGER NOT NULL) STRICT`);
  // One statement each, so that no other process acts in between.
  const claim = database.prepare(`
    INSERT INTO deliveries VALUES (?1, ?2, 0, ${NOW} + ?3) ON CONFLICT (id) DO UPDATE
    SET token = excluded.token, committed = 0, expires = excluded.expires WHERE expires <= ${NOW} RETURNING 1`);
  const find = database.prepare("SELECT committed FROM deliveries WHERE id = ?");
  const extend = database.prepare(`
    INSERT INTO deliveries VALUES (?1, ?2, ?4, ${NOW} + ?3) ON CONFLICT (id) DO UPDATE
    SET token = excluded.token, committed = ?4, expires = excluded.expires
    WHERE expires <= ${NOW} OR (token = excluded.token AND committed <= ?4) RETURNING 1`);
  const release = database.prepare("DELETE FROM deliveries WHERE id = ? AND token = ? AND committed = 0");
  return {
    claim: async (id, leaseMs) => {
      const token = crypto.randomUUID();
      if (claim.get(id, token, leaseMs)) return { status: "claimed", token };
      return { status: find.get(id)?.["committed"] === 1 ? "committed" : "running" };
    },
    renew: async (id, token, leaseMs) => extend.get(id, token, leaseMs, 0) !== undefined,
    commit: async (id, token) => extend.get(id, token, RETENTION_MS, 1) !== undefined,
    release: async (id, token) => void release.run(id, token),
  };
}

const cases = dedupeContract(() => {
  const path = join(tmpdir(), `deliveries-${crypto.randomUUID()}.sqlite`);
  return [sqliteStore(path), sqliteStore(path)];
});
for (const { name, run } of cases) {
  await run(); // In a test: test(name, run).
  console.log(`passed: ${name}`);
}
// #endregion
