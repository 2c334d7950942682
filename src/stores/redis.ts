import { ConfigError } from "../errors/local.js";
import { DEFAULT_RETENTION_MS, type DedupeStore } from "../webhooks/dedupe.js";

/** The part of a client of the package `redis` that is used. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** The part of a client of the package `ioredis` that is used. */
export interface IoRedisClient {
  defineCommand(name: string, definition: { lua: string; numberOfKeys?: number }): void;
  eval(script: string, numberOfKeys: number, ...args: string[]): Promise<unknown>;
}

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** Your own connected client of `redis` or `ioredis`, cluster clients included. It is never closed. */
  client: NodeRedisClient | IoRedisClient;
  /**
   * What every key starts with. Receivers of the same events share it; others need their own.
   * @default "svc:webhook:"
   */
  prefix?: string | undefined;
  /**
   * How long a committed delivery is remembered, in milliseconds. Longer than the sender's retries last: see assumption W4.
   * @default 259_200_000 (three days)
   */
  retentionMs?: number | undefined;
}

// A key holds the token of the claim, or "done". Each script touches one key, so a cluster can run it, and all at once.
const CLAIM = `
local held = redis.call("GET", KEYS[1])
if held == "done" then return 2 end
if held then return 1 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 0`;

const COMMIT = `
local held = redis.call("GET", KEYS[1])
if held and held ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], "done", "PX", ARGV[2])
return 1`;

const RELEASE = `
if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end
return 0`;

/**
 * A store that a whole fleet of receivers shares. Claims are atomic; one whose process died ends with its lease, by Redis'
 * own clock.
 *
 * What Redis forgets (no persistence, eviction under memory pressure, a failover before replication) can run again.
 *
 * @throws {ConfigError} when an option is not usable.
 */
export function redisStore(options: RedisStoreOptions): DedupeStore {
  const { client, prefix = "svc:webhook:", retentionMs = DEFAULT_RETENTION_MS } = options;
  if (typeof client?.eval !== "function") {
    throw new ConfigError("redisStore: client must be a client of the package redis or ioredis.");
  }
  if (!Number.isSafeInteger(retentionMs) || retentionMs <= 0) {
    throw new ConfigError("redisStore: retentionMs must be a whole number above 0.");
  }

  const run = async (script: string, id: string, ...args: readonly string[]): Promise<number> => {
    const key = prefix + id;
    const result = isIoRedis(client)
      ? await client.eval(script, 1, key, ...args)
      : await client.eval(script, { keys: [key], arguments: [...args] });
    return Number(result);
  };

  return {
    async claim(id, leaseMs) {
      const token = crypto.randomUUID();
      const held = await run(CLAIM, id, token, String(Math.ceil(leaseMs)));
      if (held === 0) return { status: "claimed", token };
      return { status: held === 2 ? "committed" : "running" };
    },
    async commit(id, token) {
      return (await run(COMMIT, id, token, String(retentionMs))) === 1;
    },
    async release(id, token) {
      await run(RELEASE, id, token);
    },
  };
}

function isIoRedis(client: NodeRedisClient | IoRedisClient): client is IoRedisClient {
  return "defineCommand" in client;
}
