import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "redis";
import { redisDeliveries } from "../../src/stores/redis.js";
import { createReceiver, type DedupeStore } from "../../src/webhooks/index.js";
import { toNodeHandler } from "../../src/webhooks/node.js";
import { SECRET } from "./vectors.js";

/** A receiver process whose handler has the `Fault` in FAULT. */
const { REDIS_PATH = "", FAULT } = process.env;
/** The handling that ends a process with the fault `kill`, counted from its start. */
const LAST = 10;

const client = createClient({ socket: { path: REDIS_PATH, reconnectStrategy: 20 } });
client.on("error", () => process.exit());
await client.connect();
const store = redisDeliveries({ client });
const counting: DedupeStore = {
  ...store,
  async commit(id, token) {
    const isCommitted = await store.commit(id, token);
    if (isCommitted) await client.hIncrBy("commits", id, 1);
    return isCommitted;
  },
};

/** Reports that the handler runs, and waits for a message of the parent process. */
async function waitForParent(): Promise<unknown> {
  // The receiver starts the handler's timeout in the tick that calls the handler.
  await new Promise((resolve) => setImmediate(resolve));
  process.send?.("handling");
  const [message] = await once(process, "message");
  return message;
}

let handled = 0;
const receiver = createReceiver({
  secret: SECRET,
  store: counting,
  // A claim lasts twice as long. On a busy machine, a renewal may be late by more than a second.
  handlerTimeoutMs: FAULT === "throw" ? 3_000 : 500,
  on: {
    async SHARED_EVENT({ id }, { signal }) {
      const chance = Math.random();
      const mustEnd = FAULT === "wait" ? (await waitForParent()) === "obey the signal" : true;
      handled += 1;
      if (FAULT === "kill" && handled === LAST) process.kill(process.pid, "SIGKILL");
      if (FAULT === "throw" && chance < 0.2) throw new Error("unlucky before");
      if (FAULT === "throw" && chance < 0.22) await once(signal, "abort");
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      if (FAULT === "throw" && chance < 0.3) throw new Error("unlucky in the middle");
      try {
        if (mustEnd) signal.throwIfAborted();
        await client.hIncrBy("effects", id, 1);
      } finally {
        if (FAULT === "wait") process.send?.("ended");
      }
    },
  },
  onUnhandled: () => {},
  onError: async (error) => void (await client.rPush("errors", String(error))),
});

const server = createServer(toNodeHandler(receiver)).listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.once("disconnect", () => process.exit());
