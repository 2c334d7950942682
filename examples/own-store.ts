// A custom store of started calls, in SQLite, and its contract. Run it with: node examples/own-store.ts
// #region store
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ExecutionStore } from "svc-sdk/agents";
import { executionsContract } from "svc-sdk/testing";

export function sqliteExecutions(path: string): ExecutionStore {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS executions (id TEXT PRIMARY KEY, stamp TEXT NOT NULL, result TEXT) STRICT`);
  // One statement each, so that no other process acts in between.
  const insert = database.prepare("INSERT INTO executions VALUES (?, ?, NULL) ON CONFLICT DO NOTHING");
  const select = database.prepare("SELECT stamp, result FROM executions WHERE id = ?");
  const update = database.prepare("UPDATE executions SET result = ?3 WHERE id = ?1 AND stamp = ?2");
  const remove = database.prepare("DELETE FROM executions WHERE id = ? AND stamp = ?");
  const find = (id: string) => {
    const row = select.get(id);
    return row && { stamp: String(row["stamp"]), result: row["result"] === null ? undefined : String(row["result"]) };
  };
  return {
    find: async (id) => find(id),
    start: async (id, stamp) => {
      for (;;) {
        if (insert.run(id, stamp).changes === 1) return undefined;
        const earlier = find(id);
        if (earlier) return earlier; // Otherwise, another process has just removed it.
      }
    },
    finish: async (id, stamp, result) => {
      if (result !== undefined) update.run(id, stamp, result);
      else remove.run(id, stamp); // It didn't run.
    },
  };
}

const cases = executionsContract(() => {
  const path = join(tmpdir(), `executions-${crypto.randomUUID()}.sqlite`);
  return [sqliteExecutions(path), sqliteExecutions(path)];
});
for (const { name, run } of cases) {
  await run(); // In a test: test(name, run).
  console.log(`passed: ${name}`);
}
// #endregion
