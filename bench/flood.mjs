// What a flood costs: 200 calls at once on a service that takes 50 per window, over loopback, in real time.
//
//   npm run bench:flood
//
// The ideal time is that of a client that uses up every window at once: three turns. Each contender gets a
// separate service. The rows with Redis need the program redis-server.
import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "redis";
import { Svc } from "svc-sdk";
import { startEmulator } from "svc-sdk/emulator/node";
import { redisRateLimit } from "svc-sdk/stores";

const CALLS = 200;
const LIMIT = 50;
const WINDOW_SECONDS = 2;
const IDEAL_MS = (Math.ceil(CALLS / LIMIT) - 1) * WINDOW_SECONDS * 1_000;
const PROCESSES = 4;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The usual client: three attempts, half a second doubled with jitter, Retry-After if wanted. */
async function naive({ baseUrl, apiKey }, honoursRetryAfter) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${baseUrl}/api/v3.1/tools/enum`, { headers: { "x-api-key": apiKey } });
    const body = await response.json();
    if (response.ok) return body;
    if (attempt === 3) throw new Error(body.message);
    const asked = honoursRetryAfter ? Number(response.headers.get("retry-after")) * 1_000 : 0;
    await pause(asked || 500 * 2 ** (attempt - 1) * (0.75 + Math.random() / 4));
  }
}

/** How many of these calls fail. */
async function failures(count, call) {
  const results = await Promise.allSettled(Array.from({ length: count }, call));
  return results.filter(({ status }) => status === "rejected").length;
}

/** A process of the fleet: connects, waits for its start, tells how many of its calls failed. */
async function member({ REDIS_PATH, BASE_URL, API_KEY }) {
  const client = REDIS_PATH ? await createClient({ socket: { path: REDIS_PATH } }).connect() : undefined;
  const sharedRateLimit = client && redisRateLimit({ client });
  const svc = new Svc({ baseUrl: BASE_URL, apiKey: API_KEY, sharedRateLimit });
  process.once("message", async () => process.send(await failures(CALLS / PROCESSES, () => svc.tools.listSlugs())));
  process.once("disconnect", () => client?.destroy());
  process.send("ready");
}

async function fleet({ baseUrl, apiKey }, redisPath) {
  const env = { ...process.env, REDIS_PATH: redisPath, BASE_URL: baseUrl, API_KEY: apiKey };
  const members = Array.from({ length: PROCESSES }, () => fork(new URL(import.meta.url), ["member"], { env }));
  await Promise.all(members.map((child) => once(child, "message")));
  return async () => {
    const failed = members.map(async (child) => {
      child.send("go");
      const [count] = await once(child, "message");
      return count;
    });
    const sum = (await Promise.all(failed)).reduce((total, count) => total + count, 0);
    return { failed: sum, close: () => members.map((child) => child.disconnect()) };
  };
}

async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const path = join(folder, "socket");
  const args = ["--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no", "--dir", folder];
  const server = spawn("redis-server", args, { stdio: "ignore" });
  await pause(500);
  return {
    path,
    stop: async () => {
      server.kill();
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one contender against a fresh service. `prepare` gives what the clock then measures. */
async function measure(name, prepare) {
  const times = [];
  let failed = 0;
  let refused = 0;
  for (let round = 0; round < 3; round += 1) {
    const onRequest = ({ status }) => (refused += status === 429 ? 1 : 0);
    const rateLimit = { limit: LIMIT, windowSeconds: WINDOW_SECONDS };
    const emulator = await startEmulator({ rateLimit, onRequest });
    const run = await prepare(emulator.connection);
    const startedAt = performance.now();
    const result = await run();
    times.push(performance.now() - startedAt);
    failed += result.failed ?? result;
    result.close?.();
    await emulator.close();
  }
  const ratio = times.toSorted((a, b) => a - b)[1] / IDEAL_MS;
  const columns = [failed / 3, refused / 3].map((count) => count.toFixed(0).padStart(8));
  console.log(`  ${name.padEnd(48)}${columns.join("")}${ratio.toFixed(2).padStart(9)} x`);
}

async function main() {
  console.log(`${cpus()[0]?.model ?? "unknown CPU"}, Node ${process.version}; means of three rounds, the median of the times`);
  console.log(`${CALLS} calls at once, ${LIMIT} per ${WINDOW_SECONDS} s; ideal: ${IDEAL_MS / 1_000} s\n`);
  console.log(`  ${"".padEnd(48)}  failed rejected    time`);
  await measure("fetch, three attempts", (connection) => () => failures(CALLS, () => naive(connection, false)));
  await measure("fetch, three attempts, Retry-After", (connection) => () => failures(CALLS, () => naive(connection, true)));
  await measure("svc-sdk", (connection) => {
    const svc = new Svc(connection);
    return () => failures(CALLS, () => svc.tools.listSlugs());
  });
  await measure("svc-sdk, 4 processes that share nothing", (connection) => fleet(connection, ""));
  if (spawnSync("redis-server", ["--version"]).status !== 0) {
    console.log("  svc-sdk, 4 processes with redisRateLimit: skipped, redis-server is not installed");
    return;
  }
  const redis = await startRedis();
  // One window per service, as each has its own budget: the bench starts each round on a fresh one.
  await measure("svc-sdk, 4 processes with redisRateLimit", async (connection) => {
    const client = await createClient({ socket: { path: redis.path } }).connect();
    await client.flushAll();
    client.destroy();
    return fleet(connection, redis.path);
  });
  await redis.stop();
}

await (process.argv[2] === "member" ? member(process.env) : main());
