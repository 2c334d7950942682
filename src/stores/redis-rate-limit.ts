import type { SharedRateLimit } from "../client/options/options.js";
import * as option from "../errors/option-rules.js";
import { isString } from "../shared/json.js";
import { REDIS_CLIENT, type RedisOptions, scripts } from "./redis-client.js";
import { type SharedRateLimitOptions, sharedRateLimit } from "./shared-rate-limit.js";
import type { RateLimitStore } from "./stored-rate-window.js";

/** Options of {@link redisRateLimit}. */
export interface RedisRateLimitOptions extends RedisOptions, SharedRateLimitOptions {
  /**
   * The key of the window. Use one key per organization (`"svc:rate-limit:acme"`): the service counts all its requests
   * together, across projects and API keys.
   * @default "svc:rate-limit"
   */
  key?: string | undefined;
}

const REDIS_RATE_LIMIT_OPTIONS = {
  client: REDIS_CLIENT,
  key: { ...option.NAME, default: "svc:rate-limit" },
  onOutage: option.FUNCTION,
} as const satisfies option.Rules<RedisRateLimitOptions>;

// The server's time, so the clocks of the processes needn't agree.
const READ = `
local time = redis.call("TIME")
return {redis.call("GET", KEYS[1]) or "", time[1], time[2]}`;

const SWAP = `
if (redis.call("GET", KEYS[1]) or "") ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3])
return 1`;

/**
 * Shares one rate limit between processes: the option `sharedRateLimit` of every client. Kept under one key, changed
 * atomically, timed by Redis' own clock. Needs Redis 5 or later, or a server that runs its scripts.
 *
 * ```ts
 * const svc = new Svc({
 *   sharedRateLimit: redisRateLimit({ client, key: "svc:rate-limit:acme" }), // One key per organization.
 * });
 * ```
 *
 * While Redis can't be reached, each client logs the outage once and throttles only its own calls. If Redis loses the
 * key, the limit is learned again from the next responses. Close the client only after the last call has ended.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function redisRateLimit(options: RedisRateLimitOptions): SharedRateLimit {
  const read = option.checkAll("redisRateLimit", options, REDIS_RATE_LIMIT_OPTIONS);
  return sharedRateLimit(redisRateLimitStore(read), { onOutage: read.onOutage });
}

/** The store behind {@link redisRateLimit}: one key, changed atomically, timed by Redis' own clock. */
export function redisRateLimitStore(given: RedisRateLimitOptions): RateLimitStore {
  const { options, run, integer, odd } = scripts("redisRateLimit", given, REDIS_RATE_LIMIT_OPTIONS);
  const { key } = options;
  return {
    async read() {
      const reply = await run(READ, [key]);
      const [value, ...time]: unknown[] = Array.isArray(reply) ? reply : [];
      if (!isString(value) || time.length !== 2) throw odd();
      const [seconds = 0, microseconds = 0] = time.map((part) => integer(part, 0, Number.MAX_SAFE_INTEGER));
      return { value: value || undefined, now: seconds * 1_000 + microseconds / 1_000 };
    },
    async compareAndSwap(expected, next, ttlMs) {
      return integer(await run(SWAP, [key], [expected ?? "", next, ttlMs]), 0, 1) === 1;
    },
  };
}
