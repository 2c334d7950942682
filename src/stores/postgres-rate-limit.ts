import type { SharedRateLimit } from "../client/options/options.js";
import * as option from "../errors/option-rules.js";
import { isString } from "../shared/json.js";
import { milliseconds, NOW, POSTGRES_CLIENT, type PostgresClient, statements } from "./postgres-client.js";
import { type SharedRateLimitOptions, sharedRateLimit } from "./shared-rate-limit.js";
import type { RateLimitStore } from "./stored-rate-window.js";

/** Options of {@link postgresRateLimit}. */
export interface PostgresRateLimitOptions extends SharedRateLimitOptions {
  /**
   * Your own pool or client. It is never closed. A pooler may be in front of the database, even in transaction mode.
   */
  client: PostgresClient;
  /**
   * Id of the window in the table. Use one id per organization (`"acme"`): the service counts all its requests
   * together, across projects and API keys.
   * @default "default"
   */
  key?: string | undefined;
}

const POSTGRES_RATE_LIMIT_OPTIONS = {
  client: POSTGRES_CLIENT,
  key: { ...option.NAME, default: "default" },
  onOutage: option.FUNCTION,
} as const satisfies option.Rules<PostgresRateLimitOptions>;

const READ = `
  SELECT (SELECT value FROM svc.rate_limits WHERE id = $1 AND expires_at > ${NOW}) AS value,
    (extract(epoch FROM ${NOW}) * 1000)::float8 AS now`;

const SWAP = `
  WITH swapped AS (
    INSERT INTO svc.rate_limits AS old (id, value, expires_at)
    SELECT $1, $3, ${NOW} + ${milliseconds("$4")}
    WHERE $2::text IS NULL OR EXISTS (SELECT FROM svc.rate_limits WHERE id = $1)
    ON CONFLICT (id) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
    WHERE CASE WHEN old.expires_at > ${NOW} THEN old.value END IS NOT DISTINCT FROM $2
    RETURNING id
  )
  SELECT EXISTS (SELECT FROM swapped) AS done`;

/**
 * Shares one rate limit between processes: the option `sharedRateLimit` of every client. Kept in one row of
 * `svc.rate_limits`, timed by the database's clock.
 *
 * While the database can't be reached, each client logs the outage once and throttles only its own calls.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function postgresRateLimit(options: PostgresRateLimitOptions): SharedRateLimit {
  const read = option.checkAll("postgresRateLimit", options, POSTGRES_RATE_LIMIT_OPTIONS);
  return sharedRateLimit(postgresRateLimitStore(read), { onOutage: read.onOutage });
}

/** The store behind {@link postgresRateLimit}: one row, changed atomically, timed by the database's clock. */
export function postgresRateLimitStore(given: PostgresRateLimitOptions): RateLimitStore {
  const { options, row, done, odd } = statements("postgresRateLimit", given, POSTGRES_RATE_LIMIT_OPTIONS);
  const { key } = options;
  return {
    async read() {
      const { value, now } = await row(READ, [key]);
      if (!(isString(value) || value === null) || !Number.isFinite(now)) throw odd();
      return { value: value ?? undefined, now: Number(now) };
    },
    compareAndSwap: (expected, next, ttlMs) => done(SWAP, [key, expected ?? null, next, String(ttlMs)]),
  };
}
