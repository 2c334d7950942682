import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "redis";

/** Whether redis-server is installed. Without it, tests that need it are skipped, and their titles say so. */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** Suffix for titles of tests that need a server. */
export const NEEDS_REDIS = hasRedis ? "" : " [skipped: the program redis-server is not installed]";

/** Starts a new server, on a socket file, without persistence. */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), "svc-redis-"));
  const path = join(folder, "socket");
  const args = ["--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no", "--dir", folder];
  const server = spawn("redis-server", args, { stdio: "ignore" });
  const exited = new Promise((resolve) => server.once("exit", resolve));
  const client = createClient({ socket: { path, reconnectStrategy: 20 } });
  client.on("error", () => undefined);
  await client.connect();
  const stop = async () => {
    client.destroy();
    server.kill("SIGKILL");
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  return { path, client, stop };
}

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;
