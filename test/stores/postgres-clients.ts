import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { POSTGRES_MIGRATION, type PostgresClient } from "../../src/stores/postgres.js";

/** The clients of PostgreSQL. They are installed separately: npm run databases. */
const DATABASES = resolve("test/programs/databases");
const library = createRequire(join(DATABASES, "package.json"));

/** Whether they are there. Without them, tests are skipped, and their titles say so. */
export const hasClients = existsSync(join(DATABASES, "node_modules/pg"));

/** The rows of a statement, as pg and PGlite return them. */
export interface Rows<Row> {
  readonly rows: Row[];
}
export interface Client extends PostgresClient {
  query<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Rows<Row>>;
}
export interface PooledClient extends Client {
  release(error?: Error | boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}
/** The part of pg's pool in use. */
export interface Pool extends Client {
  connect(): Promise<PooledClient>;
  on(event: "error", listener: (error: Error) => void): this;
  end(): Promise<void>;
}
/** The part of the package postgres in use. */
export interface Sql {
  unsafe(text: string, values?: (string | null)[]): Promise<unknown>;
  end(): Promise<void>;
}

/** The default isolation level of a connection's transactions. */
export type Isolation = "read committed" | "repeatable read" | "serializable";

/** Runs a query of a pool's clients, or doesn't. `close` cuts the connection. */
export type AroundQuery = (run: () => Promise<Rows<never>>, close: () => void) => Promise<Rows<never>>;

/** A pool of pg's clients. */
export function poolOf(host: string, max = 8, around?: AroundQuery, isolation?: Isolation): Pool {
  const { Pool } = library("pg") as { Pool: new (options: object) => Pool };
  const settings = isolation && { options: `-c default_transaction_isolation=${isolation.replace(" ", "\\ ")}` };
  // A connection that ends while nothing uses it isn't an error of a test.
  const pool = new Pool({ host, user: "postgres", database: "postgres", max, ...settings }).on(
    "error",
    () => undefined,
  );
  return around ? observed(pool, around) : pool;
}

function observed(pool: Pool, around: AroundQuery): Pool {
  const connect = async (): Promise<PooledClient> => {
    const client = await pool.connect();
    const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
    const close = () => connection.stream.destroy();
    return {
      query: (...args) => around(() => client.query<never>(...args), close),
      release: (error) => client.release(error),
      on: (...args) => client.on(...args),
      off: (...args) => client.off(...args),
    };
  };
  const query: Pool["query"] = async (...args) => {
    const client = await connect();
    const ignore = () => {};
    client.on("error", ignore);
    try {
      const rows = await client.query<never>(...args);
      client.off("error", ignore);
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  return { connect, query, on: pool.on.bind(pool), end: () => pool.end() };
}

/** A client of the package postgres. */
export function sqlOf(host: string, isolation: Isolation): Sql {
  const connect = library("postgres") as (options: object) => Sql;
  const connection = { default_transaction_isolation: isolation };
  return connect({ host, username: "postgres", database: "postgres", max: 4, connection });
}

/** PostgreSQL in this process, in memory. */
export async function startPglite(): Promise<Client & { close(): Promise<void> }> {
  const { PGlite } = library("@electric-sql/pglite") as {
    PGlite: new () => Client & { exec(text: string): Promise<unknown>; close(): Promise<void> };
  };
  const database = new PGlite();
  await database.exec(POSTGRES_MIGRATION);
  return database;
}
