import * as option from "../errors/option-rules.js";
import { type DedupeStore, RETENTION, type RetentionOptions } from "../webhooks/dedupe-store.js";
import { REDIS_CLIENT, type RedisOptions, scripts } from "./redis-client.js";

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
