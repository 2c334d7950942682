import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll } from "vitest";

/** Whether redis-server is installed. Without it, tests that need it are skipped, and their titles say so. */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** Suffix for titles of tests that need a server. */
export const NEEDS_REDIS = hasRedis ? "" : " [skipped: the program redis-server is not installed]";

/** Starts a new server, on a socket file, without persistence. With it, every write is on disk before its reply. */
export async function startRedis({ isPersistent = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "svc-redis-"));
  const path = join(folder, "socket");
  const persistence = isPersistent ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
  const args = ["--port", "0", "--unixsocket", path, "--save", "", ...persistence, "--dir", folder];
  const run = () => {
    const child = spawn("redis-server", args, { stdio: "ignore" });
    return { child, exited: new Promise((resolve) => child.once("exit", resolve)) };
  };
  let server = run();
  const kill = async () => {
    server.child.kill("SIGKILL");
    await server.exited;
  };
  const client = createClient({ socket: { path, reconnectStrategy: 20 } });
  client.on("error", () => undefined);
  await client.connect();
  /** Kills it, and starts it again with what is on disk. */
  const restart = async () => {
    await kill();
    server = run();
  };
  const stop = async () => {
    client.destroy();
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { path, client, restart, stop };
}

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/** A server for the tests of this `describe`, with a client of each library. */
export function redisWithClients(): { server: RedisServer; ioredis: Redis } {
  const redis = {} as { server: RedisServer; ioredis: Redis }; // Filled before the first test.
  beforeAll(async () => {
    redis.server = await startRedis();
    redis.ioredis = new Redis({ path: redis.server.path });
  });
  afterAll(async () => {
    redis.ioredis?.disconnect();
    await redis.server?.stop();
  });
  return redis;
}
