import { ConfigError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import { nodeModule } from "../shared/node-module.js";

/** The parts of `node:sqlite` that the stores use. */
interface Sqlite {
  readonly DatabaseSync: new (path: string) => Database;
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
}
interface Statement {
  get(...values: readonly (string | number)[]): Readonly<Record<string, unknown>> | undefined;
  run(...values: readonly (string | number)[]): { readonly changes: number | bigint };
}

/** The machine's clock in SQL, in milliseconds. */
export const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** How often a new file is prepared, if other processes do the same. The first of them does it for all. */
const MOST_TRIES = 3;

/**
 * Opens a store's database, creates its tables, and returns the function that prepares its statements.
 *
 * @throws {ConfigError} if the path isn't usable, the file can't be opened, or the runtime has no `node:sqlite`.
 */
export function openFile(store: string, path: string, tables: string): (sql: string) => Statement {
  option.check(store, "path", path, option.NAME);
  const sqlite = nodeModule<Sqlite>("node:sqlite");
  if (!sqlite) {
    throw new ConfigError(`${store}: this runtime has no node:sqlite. Use Node 24, or Node from 22.13 on.`);
  }
  try {
    const database = new sqlite.DatabaseSync(path);
    database.exec("PRAGMA busy_timeout = 2000; PRAGMA synchronous = NORMAL");
    useWal(database);
    database.exec(tables);
    return (sql) => database.prepare(sql);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown error";
    const message = `${store}: can't use ${path} (${reason}). Check the path, and that its folder exists.`;
    throw new ConfigError(message, { cause });
  }
}

/** Lets readers and a writer work at the same time. The file keeps the setting. */
function useWal(database: Database): void {
  for (let tries = 1; ; tries += 1) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      // Alone, this statement fails at once while another process does the same. A transaction waits for that process.
      database.exec("BEGIN IMMEDIATE; COMMIT");
    }
  }
}
