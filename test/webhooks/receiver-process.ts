import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "redis";
import { redisStore } from "../../src/stores/redis.js";
import { createReceiver, type DedupeStore } from "../../src/webhooks/index.js";
import { toNodeHandler } from "../../src/webhooks/node.js";

/** One receiver of a fleet, as a process. FAULT says how its handler fails now and then: by `throw` or by `kill`. */
const { REDIS_PATH = "", FAULT } = process.env;

const client = createClient({ socket: { path: REDIS_PATH, reconnectStrategy: 20 } });
client.on("error", () => process.exit());
await client.connect();
const store = redisStore({ client });
const counting: DedupeStore = {
  ...store,
  async commit(id, token) {
    const isCommitted = await store.commit(id, token);
    if (isCommitted) await client.hIncrBy("commits", id, 1);
    return isCommitted;
  },
};

const receiver = createReceiver({
  secret: "fleet",
  store: counting,
  handlerTimeoutMs: 500,
  on: {
    async FLEET_EVENT({ id }, { signal }) {
      const chance = Math.random();
      if (FAULT === "kill" && chance < 0.05) process.kill(process.pid, "SIGKILL");
      if (FAULT === "throw" && chance < 0.2) throw new Error("unlucky before");
      if (FAULT === "throw" && chance < 0.22) await once(signal, "abort");
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      if (FAULT === "throw" && chance < 0.3) throw new Error("unlucky in the middle");
      signal.throwIfAborted();
      await client.hIncrBy("effects", id, 1);
    },
  },
  onUnhandled: () => {},
  onError: () => {},
});

const server = createServer(toNodeHandler(receiver)).listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.once("disconnect", () => process.exit());
