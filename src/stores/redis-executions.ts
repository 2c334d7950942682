import type { ExecutionRecord, ExecutionStore } from "../agents/executions.js";
import { isString } from "../shared/json.js";
import {
  checkClient,
  type IoRedisClient,
  integerOf,
  type NodeRedisClient,
  oddReply,
  runScript,
} from "./redis-client.js";

/** Options of {@link redisExecutions}. */
export interface RedisExecutionsOptions {
  /** Your own connected client of `redis` or `ioredis`, cluster clients included. It is never closed. */
  client: NodeRedisClient | IoRedisClient;
  /**
   * Prefix of every key. Toolsets of the same users share it.
   * @default "svc:execution:"
   */
  prefix?: string | undefined;
}

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
 * Its keys don't expire: one that did could let a call run twice. Delete those of conversations that can't come back.
 * What Redis forgets (no persistence, eviction, a failover before replication) can run again.
 *
 * @throws {ConfigError} if the client isn't one of `redis` or `ioredis`.
 */
export function redisExecutions({ client, prefix = "svc:execution:" }: RedisExecutionsOptions): ExecutionStore {
  checkClient("redisExecutions", client);
  const run = (script: string, id: string, ...args: readonly string[]) =>
    runScript(client, script, [prefix + id], args);
  return {
    find: async (id) => toRecord(await run(FIND, id)),
    start: async (id, stamp) => toRecord(await run(START, id, stamp)),
    finish: async (id, stamp, result) => {
      const reply = await run(FINISH, id, stamp, ...(result === undefined ? [] : [result]));
      integerOf("redisExecutions", reply, 0, 1);
    },
  };
}

function toRecord(reply: unknown): ExecutionRecord | undefined {
  if (reply === null) return undefined;
  const [stamp, result, ...more]: unknown[] = Array.isArray(reply) ? reply : [];
  if (!isString(stamp) || !(isString(result) || result === null) || more.length > 0) throw oddReply("redisExecutions");
  return { stamp, result: result ?? undefined };
}
