// The stores of a rate limit over clients of databases: what they send, and which replies they take.
import { postgresRateLimitStore, redisRateLimitStore } from "../../../src/stores/index.js";
import type { Definition } from "../world.js";
import { scripted, thrown } from "./scripted.js";

const isOdd = async (run: () => Promise<unknown>) => (await thrown(run)).includes("didn't reply as");

export const storeReplies: readonly Definition[] = [
  scripted("rate limit: its store in Redis, with clients of both packages", async (_, see) => {
    const sent: unknown[][] = [];
    const replies: unknown[] = [];
    const redis = {
      eval: async (_script: string, { keys, arguments: args }: { keys: string[]; arguments: string[] }) => {
        sent.push([keys.length, ...keys, ...args]);
        return replies.shift();
      },
    };
    const ioredis = {
      defineCommand: () => undefined,
      eval: async (_script: string, ...args: unknown[]) => {
        sent.push(args);
        return replies.shift();
      },
    };
    for (const client of [redis, ioredis]) {
      const store = redisRateLimitStore({ client, key: "k" });
      replies.push(["", "5", 250_000], ["text", 7, "1"], 1, "0");
      see("none", await store.read(), { value: undefined, now: 5_250 });
      see("a string", await store.read(), { value: "text", now: 7_000.001 });
      const swaps = [await store.compareAndSwap(undefined, "next", 10), await store.compareAndSwap("text", "next", 20)];
      see("writes", swaps, [true, false]);
      see("what it sends", sent.splice(0), [
        [1, "k"],
        [1, "k"],
        [1, "k", "", "next", "10"],
        [1, "k", "text", "next", "20"],
      ]);
      for (const odd of [null, "", [], ["", "5"], ["", "5", 1, 1], [5, "5", 1], ["", "-1", 0], ["", "5", 0.5]]) {
        replies.push(odd);
        see(JSON.stringify(odd), await isOdd(() => store.read()), true);
      }
      for (const odd of [2, -1, "x", true, null]) {
        replies.push(odd);
        see(`${odd}`, await isOdd(() => store.compareAndSwap(undefined, "next", 10)), true);
      }
      sent.length = 0;
    }
  }),
  scripted("rate limit: its store in PostgreSQL", async (_, see) => {
    const sent: unknown[][] = [];
    const replies: unknown[] = [];
    const client = {
      query: async (_text: string, values: unknown[] = []) => {
        sent.push(values);
        return replies.shift();
      },
    };
    const store = postgresRateLimitStore({ client, key: "k" });
    replies.push(
      [{ value: null, now: 5.5 }],
      { rows: [{ value: "text", now: 7 }] },
      [{ done: true }],
      [{ done: false }],
    );
    see("none", await store.read(), { value: undefined, now: 5.5 });
    see("a string", await store.read(), { value: "text", now: 7 });
    const swaps = [await store.compareAndSwap(undefined, "next", 10), await store.compareAndSwap("text", "next", 20)];
    see("writes", swaps, [true, false]);
    see("what it sends", sent, [["k"], ["k"], ["k", null, "next", "10"], ["k", "text", "next", "20"]]);
    for (const odd of [[], {}, [{ value: 5, now: 1 }], [{ value: null, now: "1" }], [{ value: null }]]) {
      replies.push(odd);
      see(JSON.stringify(odd), await isOdd(() => store.read()), true);
    }
    replies.push([{ done: 1 }]);
    see("no boolean", await isOdd(() => store.compareAndSwap(undefined, "next", 10)), true);
  }),
];
