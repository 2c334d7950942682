import type { ExecutionRecord, ExecutionStore } from "../agents/executions.js";
import { checkClient, type IoRedisClient, type NodeRedisClient, runScript } from "./redis-client.js";

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
local held = redis.call("HMGET", KEYS[1], "digest", "result")
return held[1] and held or false`;

const START = `
local held = redis.call("HMGET", KEYS[1], "digest", "result")
if held[1] then return held end
redis.call("HSET", KEYS[1], "digest", ARGV[1])
return false`;

// A record that was deleted meanwhile stays deleted: its result would be that of the next call with this id.
const FINISH = `
if ARGV[1] == "" then return redis.call("DEL", KEYS[1]) end
if redis.call("EXISTS", KEYS[1]) == 0 then return 0 end
return redis.call("HSET", KEYS[1], "result", ARGV[1])`;

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
    start: async (id, digest) => toRecord(await run(START, id, digest)),
    finish: async (id, result) => {
      await run(FINISH, id, result ?? "");
    },
  };
}

function toRecord(held: unknown): ExecutionRecord | undefined {
  if (!Array.isArray(held)) return undefined;
  const [digest, result]: unknown[] = held;
  return { digest: String(digest), result: typeof result === "string" ? result : undefined };
}
