import { Redis } from "ioredis";
import { createClient } from "redis";
import { observe, Svc } from "../../src/index.js";
import { redisRateLimit } from "../../src/stores/redis.js";

/**
 * One caller of a fleet, as a process: waits for its start, makes CALLS calls simultaneously, tells how they went, and
 * ends.
 */
const { REDIS_PATH = "", CLIENT, SVC_BASE_URL, SVC_API_KEY, CALLS } = process.env;

async function connected() {
  if (CLIENT === "ioredis") {
    const client = new Redis({ path: REDIS_PATH });
    return { client, close: () => client.disconnect() };
  }
  const client = createClient({ socket: { path: REDIS_PATH, reconnectStrategy: 20 } });
  await client.connect();
  return { client, close: () => client.destroy() };
}

const { client, close } = await connected();
let refused = 0;
const warnings: string[] = [];
const svc = new Svc({
  baseUrl: SVC_BASE_URL,
  apiKey: SVC_API_KEY,
  env: {},
  sharedRateLimit: redisRateLimit({ client, key: "fleet", onOutage: (problem) => void warnings.push(problem) }),
  use: [
    observe((event) => {
      if (event.type === "response" && event.status === 429) refused += 1;
    }),
  ],
});

async function flood(): Promise<void> {
  const calls = await Promise.allSettled(Array.from({ length: Number(CALLS) }, () => svc.tools.listSlugs()));
  process.send?.({ failed: calls.filter(({ status }) => status === "rejected").length, refused, warnings });
}

process.once("message", () => void flood());
// Then the process must end by itself: nothing of the client may keep it.
process.once("disconnect", close);
process.send?.("ready");
