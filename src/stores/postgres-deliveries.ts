import type * as option from "../errors/option-rules.js";
import { type DedupeStore, RETENTION, type RetentionOptions } from "../webhooks/dedupe-store.js";
import {
  deleteExpired,
  keyOf,
  milliseconds,
  NOW,
  POSTGRES_OPTIONS,
  type PostgresOptions,
  statements,
} from "./postgres-client.js";

/** Options of {@link postgresDeliveries}. */
export interface PostgresDeliveriesOptions extends PostgresOptions, RetentionOptions {}

const POSTGRES_DELIVERIES_OPTIONS = {
  ...POSTGRES_OPTIONS,
  retentionMs: RETENTION,
} as const satisfies option.Rules<PostgresDeliveriesOptions>;

/** Marks the token of a claim that was released. */
const RELEASED = "released:";

// The new record is kept if there is no other, or if the other has expired, fits, or belongs to the same claim.
const held = (fits: string) => `
  held AS (
    INSERT INTO svc.deliveries AS old (id, token, committed, expires_at)
    VALUES ($1, $2, $3::text::boolean, ${NOW} + ${milliseconds("$4")})
    ON CONFLICT (id) DO UPDATE SET token = $2, committed = $3::text::boolean, expires_at = ${NOW} + ${milliseconds("$4")}
    WHERE old.expires_at <= ${NOW} OR ${fits} OR (old.token = $2 AND old.committed <= $3::text::boolean)
    RETURNING id
  )
  SELECT EXISTS (SELECT FROM held) AS done`;

// The second column is as old as the statement. If it misses a commit, the claim counts as running, and the sender
// retries.
const CLAIM = `
  WITH ${deleteExpired("svc.deliveries", "id <> $1")}, ${held(`starts_with(old.token, '${RELEASED}')`)},
  EXISTS (SELECT FROM svc.deliveries WHERE id = $1 AND committed AND expires_at > ${NOW}) AS committed`;

const EXTEND = `WITH ${held("false")}`;

const RELEASE = `
  WITH released AS (
    UPDATE svc.deliveries SET token = '${RELEASED}' || token WHERE id = $1 AND token = $2 AND NOT committed RETURNING id
  )
  SELECT EXISTS (SELECT FROM released) AS done`;

/** Whether a claim has been committed, for `$1` the key and `$2` the token. */
export const RECORDED = "SELECT EXISTS (SELECT FROM svc.deliveries WHERE id = $1 AND token = $2 AND committed) AS done";

/**
 * Creates a store that receivers in several processes share, in the table `svc.deliveries`. Claims are atomic. If a
 * process dies, its claims end with their leases, measured by the database's clock.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function postgresDeliveries(given: PostgresDeliveriesOptions): DedupeStore {
  const { options, row, done, odd } = statements("postgresDeliveries", given, POSTGRES_DELIVERIES_OPTIONS);
  const { prefix, retentionMs } = options;
  return {
    async claim(id, leaseMs) {
      const token = crypto.randomUUID();
      const key = await keyOf(prefix + id);
      const { done: isOurs, committed } = await row(CLAIM, [key, token, "false", String(leaseMs)]);
      if (typeof isOurs !== "boolean" || typeof committed !== "boolean") throw odd();
      if (isOurs) return { status: "claimed", token };
      return { status: committed ? "committed" : "running" };
    },
    renew: async (id, token, leaseMs) => done(EXTEND, [await keyOf(prefix + id), token, "false", String(leaseMs)]),
    commit: async (id, token) => done(EXTEND, [await keyOf(prefix + id), token, "true", String(retentionMs)]),
    async release(id, token) {
      await done(RELEASE, [await keyOf(prefix + id), token]);
    },
  };
}
