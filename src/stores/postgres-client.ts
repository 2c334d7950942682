import pRetry from "p-retry";
import { SvcError } from "../errors/base.js";
import * as option from "../errors/option-rules.js";
import { sha256Of } from "../shared/digest.js";
import { field, isObject, type Json } from "../shared/json.js";

/**
 * The method of a PostgreSQL client that the stores use. Pools and clients of `pg`, pools and `neon()` of
 * `@neondatabase/serverless`, and PGlite have it. For the package `postgres`, pass `{ query: (text, values) =>
 * sql.unsafe(text, values) }`.
 */
export interface PostgresClient {
  /** Resolves to the rows, or to an object with `rows`. */
  query(text: string, values?: (string | null)[]): Promise<unknown>;
}

/** Options of {@link postgresExecutions}, {@link postgresBudgets} and {@link postgresApprovals}. */
export interface PostgresOptions {
  /**
   * Your own pool or client. It is never closed. A pooler may be in front of the database, even in transaction mode.
   */
  client: PostgresClient;
  /**
   * Prefix of every id in the table, the same in all processes that share records.
   * @default ""
   */
  prefix?: string | undefined;
}

/**
 * The SQL that creates the tables of all stores, in the schema `svc`. Run it with your migrations, because the stores
 * don't create tables. It is one statement, doesn't change existing tables, and several processes can run it at the
 * same time.
 */
export const POSTGRES_MIGRATION: string = `DO $svc$ BEGIN

-- IF NOT EXISTS fails if two processes create the same table at the same time, so one waits for the other.
PERFORM pg_advisory_xact_lock(hashtextextended('svc-sdk migration', 0));

CREATE SCHEMA IF NOT EXISTS svc;

-- Handled webhook deliveries. Claims delete records that have expired.
CREATE TABLE IF NOT EXISTS svc.deliveries (
  id text PRIMARY KEY,
  token text NOT NULL,
  committed boolean NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS deliveries_expires_at ON svc.deliveries (expires_at);

-- Started calls of models. Without a result, a call may have run. Delete those of conversations that can't come back.
CREATE TABLE IF NOT EXISTS svc.executions (
  id text PRIMARY KEY,
  stamp text NOT NULL,
  result text,
  started_at timestamptz NOT NULL DEFAULT now()
);

-- What budgets have counted, by step of their period. New budgets delete those whose period is over.
CREATE TABLE IF NOT EXISTS svc.budgets (
  id text PRIMARY KEY,
  steps jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS budgets_expires_at ON svc.budgets (expires_at);

-- Shared rate limits: one row each.
CREATE TABLE IF NOT EXISTS svc.rate_limits (
  id text PRIMARY KEY,
  value text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Approval requests with their decisions, and standing approvals. Writes delete those that have expired.
CREATE TABLE IF NOT EXISTS svc.approvals (
  id text PRIMARY KEY,
  value text NOT NULL,
  state text NOT NULL,
  user_id text,
  conversation_id text,
  position text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS approvals_list ON svc.approvals (state, position);
CREATE INDEX IF NOT EXISTS approvals_user ON svc.approvals (user_id, state, position);
CREATE INDEX IF NOT EXISTS approvals_conversation ON svc.approvals (conversation_id, state, position);
CREATE INDEX IF NOT EXISTS approvals_expires_at ON svc.approvals (expires_at);

-- The records of calls, a row for each line. Never change or delete them.
CREATE TABLE IF NOT EXISTS svc.audit (
  log text NOT NULL,
  number bigint NOT NULL,
  line text NOT NULL,
  PRIMARY KEY (log, number)
);

END $svc$;
`;

/** The time of the database in SQL, at the moment at which it's evaluated. */
export const NOW = "clock_timestamp()";

/** So many milliseconds, as an interval in SQL. */
export const milliseconds = (value: string): string => `${value}::text::float8 * interval '1 millisecond'`;

/** Deletes a few expired records in the same statement, so that a table doesn't grow. Skips locked ones. */
export const deleteExpired = (table: string, but: string): string => `
  gone AS (DELETE FROM ${table} WHERE id IN (
    SELECT id FROM ${table} WHERE expires_at < now() AND ${but} LIMIT 5 FOR UPDATE SKIP LOCKED))`;

/** The rule of the option `client`. */
export const POSTGRES_CLIENT = option.required(
  option.fitting("a pool or client of pg, or an object with query(text, values)", (value) =>
    option.isFunction(field(value, "query")),
  ),
);

export const POSTGRES_OPTIONS = {
  client: POSTGRES_CLIENT,
  prefix: { ...option.STRING, default: "" },
} as const satisfies option.Rules<PostgresOptions>;

/** Codes of statements that changed nothing, because of another one at the same time. */
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
/** The code of every statement after one that failed in a transaction. */
const TRANSACTION_FAILED = "25P02";

/** Others changed the same rows at the same time, so the work has to be repeated. */
export class Conflict extends SvcError {
  readonly code = SERIALIZATION_FAILURE;
}

/** With the waits below, five seconds in all. How long a statement waits for a connection of the pool isn't counted. */
const RETRIES = 100;

/**
 * Repeats work that met a conflict. The isolation level isn't ours to choose: poolers run each statement in another
 * connection, whose default may be `repeatable read` or `serializable`.
 */
export async function repeated<Value>(work: () => Promise<Value>): Promise<Value> {
  let conflict: unknown;
  try {
    return await pRetry(work, {
      retries: RETRIES,
      minTimeout: 1,
      maxTimeout: 50,
      randomize: true,
      shouldRetry: ({ error }) => {
        const isConflict = [SERIALIZATION_FAILURE, DEADLOCK].includes(String(field(error, "code")));
        if (isConflict) conflict = error;
        return isConflict;
      },
    });
  } catch (error) {
    // In the program's own transaction, only the program can repeat it, which the first error says.
    throw conflict && field(error, "code") === TRANSACTION_FAILED ? conflict : error;
  }
}

/** As many characters as an index of PostgreSQL takes, whatever they are. */
const LONGEST_KEY = 600;

/** The key of a record. A long one, such as that of a long id of a call, is replaced by its digest. */
export async function keyOf(id: string): Promise<string> {
  return id.length <= LONGEST_KEY ? id : `sha256:${await sha256Of(id)}`;
}

/**
 * Reads a store's options, and runs its statements. Each keeps nothing in its connection: a pooler may give the next
 * one another.
 *
 * @throws {ConfigError} if an option is unknown or invalid.
 */
export function statements<
  Options extends Pick<PostgresOptions, "client">,
  const Table extends option.Rules<NoInfer<Options>>,
>(store: string, given: Options, rules: Table) {
  const options = option.checkAll(store, given, rules);
  const { client } = options;
  /** The error for a reply that no statement has, such as that of a mock. */
  const odd = () => new TypeError(`${store}: the client's query didn't reply as PostgreSQL does. Check the client.`);
  /** Runs a statement that returns one row. @throws {TypeError} if the reply is anything else. */
  const row = async (statement: string, values: readonly (string | null)[]): Promise<Json> => {
    const reply = await repeated(() => client.query(statement, [...values]));
    const rows: unknown = Array.isArray(reply) ? reply : field(reply, "rows");
    const [first, ...more]: unknown[] = Array.isArray(rows) ? rows : [];
    if (!isObject(first) || more.length > 0) throw odd();
    return first;
  };
  /** Runs a statement that returns one boolean, `done`. @throws {TypeError} if the reply is anything else. */
  const done = async (statement: string, values: readonly (string | null)[]): Promise<boolean> => {
    const reply = await row(statement, values);
    if (typeof reply["done"] !== "boolean") throw odd();
    return reply["done"];
  };
  return { options, row, done, odd };
}
