import type { ExecutionRecord, ExecutionStore } from "../agents/execution-store.js";
import { isString, type Json } from "../shared/json.js";
import { Conflict, keyOf, POSTGRES_OPTIONS, type PostgresOptions, repeated, statements } from "./postgres-client.js";

const RECORD = "(SELECT true) AS one LEFT JOIN svc.executions ON id = $1";

const FIND = `SELECT stamp, result FROM ${RECORD}`;

// The record is as old as the statement, so another process may have written it a moment later.
const START = `
  WITH started AS (INSERT INTO svc.executions (id, stamp) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING id)
  SELECT EXISTS (SELECT FROM started) AS done, stamp, result FROM ${RECORD}`;

const FINISH = `
  WITH finished AS (UPDATE svc.executions SET result = $3 WHERE id = $1 AND stamp = $2 RETURNING id)
  SELECT EXISTS (SELECT FROM finished) AS done`;

const FORGET = `
  WITH gone AS (DELETE FROM svc.executions WHERE id = $1 AND stamp = $2 RETURNING id)
  SELECT EXISTS (SELECT FROM gone) AS done`;

/**
 * Creates a store of started calls that processes share, in the table `svc.executions`: the option `executions` of a
 * toolset.
 *
 * Records never expire, because an expired record could let a call run twice. Delete the records of finished
 * conversations by `started_at`.
 *
 * With a client in a transaction, the records belong to the transaction. The toolset may then contain only local tools
 * that write through the same client: either their writes, the start and the result are committed, or the call can run
 * again. Don't use it with tools of the service, because a rollback can't undo their effects.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function postgresExecutions(given: PostgresOptions): ExecutionStore {
  const { options, row, done, odd } = statements("postgresExecutions", given, POSTGRES_OPTIONS);
  const { prefix } = options;
  const toRecord = ({ stamp, result }: Json): ExecutionRecord | undefined => {
    if (stamp === null && result === null) return undefined;
    if (!isString(stamp) || !(isString(result) || result === null)) throw odd();
    return { stamp, result: result ?? undefined };
  };
  return {
    find: async (id) => toRecord(await row(FIND, [await keyOf(prefix + id)])),
    start: (id, stamp) =>
      repeated(async () => {
        const reply = await row(START, [await keyOf(prefix + id), stamp]);
        if (reply["done"] === true) return undefined;
        const earlier = toRecord(reply);
        if (earlier) return earlier;
        throw new Conflict(`postgresExecutions: Others keep changing the record of ${prefix + id}.`);
      }),
    finish: async (id, stamp, result) => {
      const key = await keyOf(prefix + id);
      await (result === undefined ? done(FORGET, [key, stamp]) : done(FINISH, [key, stamp, result]));
    },
  };
}
