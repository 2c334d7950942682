import type { ExecutionRecord, ExecutionStore } from "../agents/executions.js";
import { isString, type Json } from "../shared/json.js";
import { type PostgresOptions, statements } from "./postgres-client.js";

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

/** How often a start is repeated whose record other processes remove and write at the same time. */
const MOST_STARTS = 100;

/**
 * Creates a store of started calls that processes share, in the table `svc.executions`: the option `executions` of a
 * toolset.
 *
 * Records don't expire: one that did could let a call run twice. Delete those of conversations that can't come back, by
 * `started_at`.
 *
 * With a client in a transaction, the records belong to the transaction. The toolset may then contain only local tools
 * that write through the same client: either their writes, start and result are committed, or the call can run again.
 * Don't use it with tools of the service, whose effects no transaction takes back.
 *
 * @throws {ConfigError} if the client has no `query`.
 */
export function postgresExecutions({ client, prefix = "" }: PostgresOptions): ExecutionStore {
  const { row, done, odd } = statements("postgresExecutions", client);
  const toRecord = ({ stamp, result }: Json): ExecutionRecord | undefined => {
    if (stamp === null && result === null) return undefined;
    if (!isString(stamp) || !(isString(result) || result === null)) throw odd();
    return { stamp, result: result ?? undefined };
  };
  return {
    find: async (id) => toRecord(await row(FIND, [prefix + id])),
    start: async (id, stamp) => {
      for (let starts = 0; starts < MOST_STARTS; starts += 1) {
        const reply = await row(START, [prefix + id, stamp]);
        if (reply["done"] === true) return undefined;
        const earlier = toRecord(reply);
        if (earlier) return earlier;
      }
      throw odd();
    },
    finish: async (id, stamp, result) => {
      await (result === undefined ? done(FORGET, [prefix + id, stamp]) : done(FINISH, [prefix + id, stamp, result]));
    },
  };
}
