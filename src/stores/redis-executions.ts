import type { ExecutionRecord, ExecutionStore } from "../agents/execution-store.js";
import * as option from "../errors/option-rules.js";
import { isString } from "../shared/json.js";
import { REDIS_CLIENT, type RedisOptions, scripts } from "./redis-client.js";

/** Options of {@link redisExecutions}. */
export interface RedisExecutionsOptions extends RedisOptions {
  /**
   * Prefix of every key, the same in all toolsets of the same users.
   * @default "svc:execution:"
   */
  prefix?: string | undefined;
}

const REDIS_EXECUTIONS_OPTIONS = {
  client: REDIS_CLIENT,
  prefix: { ...option.STRING, default: "svc:execution:" },
} as const satisfies option.Rules<RedisExecutionsOptions>;

// Each script uses one key, so it is atomic in a cluster.
const FIND = `
local held = redis.call("HMGET", KEYS[1], "stamp", "result")
return held[1] and held or false`;

const START = `
local held = redis.call("HMGET", KEYS[1], "stamp", "result")
if held[1] then return held end
redis.call("HSET", KEYS[1], "stamp", ARGV[1])
return false`;

const FINISH = `
if redis.call("HGET", KEYS[1], "stamp") ~= ARGV[1] then return 0 end
if not ARGV[2] then return redis.call("DEL", KEYS[1]) end
redis.call("HSET", KEYS[1], "result", ARGV[2])
return 1`;

/**
 * Creates a store of started calls that processes share: the option `executions` of a toolset.
 *
 * Keys never expire, because an expired key could let a call run twice. Delete the keys of finished conversations. If
 * Redis loses a key (no persistence, eviction, a failover before replication), its call can run again.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function redisExecutions(given: RedisExecutionsOptions): ExecutionStore {
  const { options, run, integer, odd } = scripts("redisExecutions", given, REDIS_EXECUTIONS_OPTIONS);
  const { prefix } = options;
  const toRecord = (reply: unknown): ExecutionRecord | undefined => {
    if (reply === null) return undefined;
    const [stamp, result, ...more]: unknown[] = Array.isArray(reply) ? reply : [];
    if (!isString(stamp) || !(isString(result) || result === null) || more.length > 0) throw odd();
    return { stamp, result: result ?? undefined };
  };
  return {
    find: async (id) => toRecord(await run(FIND, [prefix + id])),
    start: async (id, stamp) => toRecord(await run(START, [prefix + id], [stamp])),
    finish: async (id, stamp, result) => {
      integer(await run(FINISH, [prefix + id], result === undefined ? [stamp] : [stamp, result]), 0, 1);
    },
  };
}
