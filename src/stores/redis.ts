import type { SharedRateLimit } from "../client/options/options.js";
import * as option from "../errors/option-rules.js";
import { isString } from "../shared/json.js";
import { type DedupeStore, RETENTION, type RetentionOptions } from "../webhooks/dedupe.js";
import { REDIS_CLIENT, type RedisOptions, scripts } from "./redis-client.js";
import { type SharedRateLimitOptions, sharedRateLimit } from "./shared-rate-limit.js";
import type { RateLimitStore } from "./stored-window.js";

export {
  type RedisBudgetsOptions,
  type RedisExecutionsOptions,
  redisBudgets,
  redisExecutions,
} from "./redis-agents.js";
export { type RedisApprovalsOptions, redisApprovals } from "./redis-approvals.js";
export type { IoRedisClient, NodeRedisClient } from "./redis-client.js";

/** Options of {@link redisDeliveries}. */
export interface RedisDeliveriesOptions extends RedisOptions, RetentionOptions {
  /**
   * Prefix of every key, the same in all receivers of the same events.
   * @default "svc:webhook:"
   */
  prefix?: string | undefined;
}

const REDIS_DELIVERIES_OPTIONS = {
  client: REDIS_CLIENT,
  prefix: { ...option.STRING, default: "svc:webhook:" },
  retentionMs: RETENTION,
} as const satisfies option.Rules<RedisDeliveriesOptions>;

// A key contains the claim's token; after "done:", if it is committed; after "free:", if it was released. Each script
// uses one key, so it is atomic in a cluster. A client that reconnects may send a script again, so a claim recognizes
// the token that it has written.
const CLAIM = `
local held = redis.call("GET", KEYS[1])
local state = held and string.sub(held, 1, 5)
if state == "done:" then return 2 end
if held and held ~= ARGV[1] and state ~= "free:" then return 1 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 0`;

// PEXPIRE works when Redis is out of memory, SET doesn't.
const RENEW = `
local held = redis.call("GET", KEYS[1])
if held == ARGV[1] then return redis.call("PEXPIRE", KEYS[1], ARGV[2]) end
if held then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 1`;

// If Redis is out of memory, a script may still write after a first write that needs no memory, which is PEXPIRE.
const COMMIT = `
local held = redis.call("GET", KEYS[1])
local done = "done:" .. ARGV[1]
if held and held ~= ARGV[1] and held ~= done then return 0 end
redis.call("PEXPIRE", KEYS[1], ARGV[2])
redis.call("SET", KEYS[1], done, "PX", ARGV[2])
return 1`;

const RELEASE = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
local left = math.max(1, redis.call("PTTL", KEYS[1]))
redis.call("PEXPIRE", KEYS[1], left)
redis.call("SET", KEYS[1], "free:" .. ARGV[1], "PX", left)
return 1`;

/**
 * Creates a store that receivers in several processes share. Claims are atomic. If a process dies, its claims end with
 * their leases, measured by Redis' own clock. A running handler's claim can be renewed and committed even while Redis
 * is out of memory.
 *
 * If Redis loses a record (no persistence, eviction under memory pressure, a failover before replication), the event
 * can run again.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function redisDeliveries(given: RedisDeliveriesOptions): DedupeStore {
  const { options, run, integer } = scripts("redisDeliveries", given, REDIS_DELIVERIES_OPTIONS);
  const { prefix, retentionMs } = options;
  const reply = async (most: number, script: string, id: string, ...args: readonly (string | number)[]) =>
    integer(await run(script, [prefix + id], args), 0, most);
  return {
    async claim(id, leaseMs) {
      const token = crypto.randomUUID();
      const status = await reply(2, CLAIM, id, token, Math.ceil(leaseMs));
      if (status === 0) return { status: "claimed", token };
      return { status: status === 2 ? "committed" : "running" };
    },
    renew: async (id, token, leaseMs) => (await reply(1, RENEW, id, token, Math.ceil(leaseMs))) === 1,
    commit: async (id, token) => (await reply(1, COMMIT, id, token, retentionMs)) === 1,
    async release(id, token) {
      await reply(1, RELEASE, id, token);
    },
  };
}

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
