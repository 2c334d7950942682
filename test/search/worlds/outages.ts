// Outages of the store of a shared rate limit: what they tell, how often it is tried, and what it must keep.
import { type RateLimitStore, sharedRateLimit } from "../../../src/stores/index.js";
import type { Definition } from "../world.js";
import { Answering, LimitStore, wait, window } from "./answering.js";
import { scripted, thrown } from "./scripted.js";

/** A store that fails so, and what a client says of it. */
const FAILURES: readonly (readonly [string, () => Promise<never>])[] = [
  ["(Error)", () => Promise.reject(new Error("redis://user:password@host"))],
  ["(TypeError)", () => Promise.reject(new TypeError("redis://user:password@host"))],
  ["(ECONNREFUSED)", () => Promise.reject(Object.assign(new Error("password"), { code: "ECONNREFUSED" }))],
  ["(Error)", () => Promise.reject(Object.assign(new Error("password"), { code: 5 }))],
  ["(it threw something other than an Error)", () => Promise.reject("password")],
  ["(no response within 250 ms)", () => new Promise(() => {})],
];

/** The same store, whose answers take time. */
const slowed = (store: LimitStore): RateLimitStore => ({
  read: () => wait(50).then(store.read),
  compareAndSwap: (...args) => wait(50).then(() => store.compareAndSwap(...args)),
});

export const outages: readonly Definition[] = [
  scripted("rate limit: 1 client, what it says of a store that fails", async (_, see, world) => {
    for (const [words, fault] of FAILURES) {
      const store = new LimitStore(world);
      store.fault = fault;
      const service = new Answering(store);
      service.call("a");
      await wait(251);
      const [problem = ""] = service.outages;
      see(words, [problem.includes(words), problem.includes("password")], [true, false]);
      service.end();
    }
    const store = new LimitStore(world);
    store.value = "odd";
    const foreign = new Answering(store);
    foreign.call("a");
    await wait(0);
    see("it isn't a window", foreign.outages[0]?.includes("(it contains something other than a window"), true);
    const contended = new Answering({ read: store.read, compareAndSwap: async () => false });
    store.value = undefined;
    contended.call("a");
    await wait(1_100);
    see("no write", contended.outages[0]?.includes("(no write succeeded)"), true);
  }),
  scripted("rate limit: 1 client, when it tries a store again", async (_, see, world) => {
    const store = new LimitStore(world);
    const { read, compareAndSwap } = store;
    for (const odd of [{}, { read }, { compareAndSwap }]) {
      see("no store", (await thrown(() => sharedRateLimit(odd as RateLimitStore))) !== "", true);
    }
    store.fault = () => Promise.reject(new Error("It is down."));
    const service = new Answering(store);
    const tries = () => store.reads.splice(0).length;
    service.call("a");
    await wait(0);
    await service.answer("a", window(10));
    see("for the first call", tries(), 1);
    await wait(1_100);
    service.call("b");
    await wait(0);
    see("not for a call that is sent at once", [service.count("b"), tries()], [1, 0]);
    await service.answer("b", window(9));
    see("when it has ended", tries(), 1);
  }),
  scripted("rate limit: 2 clients that share it, a call that was sent without the store", async (_, see, world) => {
    const store = new LimitStore(world);
    const [one, other] = [new Answering(store), new Answering(store)];
    one.call("a");
    await wait(0);
    await one.answer("a", window(2));
    other.call("b", 2);
    await wait(0);
    store.fault = () => Promise.reject(new Error("It is down."));
    one.call("own");
    await wait(0);
    see("it is sent", one.count("own"), 1);
    store.fault = undefined;
    await wait(1_100);
    await one.answer("own", {}, 500);
    one.call("c");
    await wait(100);
    see("the call counted for no other client", [other.count("b"), one.count("c")], [2, 0]);
    one.end();
    other.end();
  }),
  scripted("rate limit: 1 client that shares it, the window after an outage", async (_, see, world) => {
    const store = new LimitStore(world);
    const service = new Answering(store);
    service.call("a");
    await wait(0);
    await service.answer("a", window(3));
    store.fault = () => Promise.reject(new Error("It is down."));
    service.call("b");
    await wait(0);
    await service.answer("b", window(2));
    store.fault = undefined;
    await wait(1_100);
    service.call("c");
    await wait(0);
    await service.answer("c", window(1));
    await wait(63_001);
    service.call("d", 20);
    await wait(0);
    see("no 429 was told", service.count("d"), 15);
    service.end();
  }),
  scripted("rate limit: 1 client that shares it, the window after a 429", async (_, see, world) => {
    const service = new Answering(new LimitStore(world));
    service.call("a", 3);
    await wait(0);
    await service.answer("a", window(18));
    await service.answer("a", window(17));
    await service.answer("a", { "retry-after": "20" }, 429);
    service.call("b", 20);
    await wait(19_900);
    see("it waits", service.count("b"), 0);
    await wait(600);
    see("it was told once", service.count("b"), 15);
    service.end();
  }),
  scripted("rate limit: 2 clients that share it, calls that end at the same time", async (_, see, world) => {
    const store = new LimitStore(world);
    const [one, other] = [new Answering(slowed(store)), new Answering(store)];
    one.call("a");
    await wait(500);
    await one.answer("a", window(2));
    one.call("b", 2);
    await wait(500);
    await one.answer("b", {}, 500);
    await wait(20);
    await one.answer("b", {}, 500);
    await wait(500);
    other.call("c", 3);
    await wait(0);
    see("both are told", other.count("c"), 2);
    other.end();
  }),
  scripted("rate limit: 2 clients that share it, a call that ends before it may be sent", async (_, see, world) => {
    const store = new LimitStore(world);
    const [one, other] = [new Answering(slowed(store)), new Answering(store)];
    one.call("a");
    await wait(500);
    await one.answer("a", window(1));
    await wait(500);
    const stop = new AbortController();
    one.call("b", 1, { signal: stop.signal });
    await wait(20);
    stop.abort();
    await wait(500);
    other.call("c");
    await wait(0);
    see("another one is sent", [one.count("b"), other.count("c")], [0, 1]);
  }),
  scripted("rate limit: 1 client that shares it, a 429 while it asks the store", async (_, see, world) => {
    const service = new Answering(slowed(new LimitStore(world)));
    service.call("a", 2);
    await wait(500);
    service.call("b");
    await wait(20);
    await service.answer("a", { "retry-after": "20" }, 429);
    await wait(1_000);
    see("it waits", service.count("b"), 0);
    await wait(20_000);
    see("until its end", service.count("b"), 1);
  }),
  scripted("rate limit: 1 client that shares it, a store that lost a wait", async (_, see, world) => {
    const store = new LimitStore(world);
    const service = new Answering(store);
    service.call("a");
    await wait(0);
    await service.answer("a", { "retry-after": "20" }, 429);
    store.value = undefined;
    service.call("b", 1, { deadlineMs: 5_000 });
    service.call("c");
    await wait(1);
    see("it knows it itself", [service.ended.length, service.count("b")], [2, 0]);
    see("and tells it", service.waits, [20_000]);
    await wait(19_000);
    see("until its end", service.count("c"), 0);
    await wait(2_000);
    see("then", service.count("c"), 1);
  }),
  scripted("rate limit: 2 clients that share it, a long window", async (_, see, world) => {
    const store = new LimitStore(world);
    const [one, other] = [new Answering(store), new Answering(store)];
    one.call("a");
    await wait(0);
    await one.answer("a", window(0, 19, "900s"));
    await wait(800_000);
    other.call("b", 15);
    await wait(0);
    see("one at a time, as it is still known", other.count("b"), 1);
    other.end();
  }),
  scripted("rate limit: 2 clients that share it, a long wait", async (_, see, world) => {
    const store = new LimitStore(world);
    const [one, other] = [new Answering(store), new Answering(store)];
    one.call("a");
    await wait(0);
    await one.answer("a", { "retry-after": "3600" }, 429);
    await wait(3_000_000);
    other.call("b");
    await wait(0);
    see("it is still known", other.count("b"), 0);
    other.end();
  }),
  scripted("rate limit: 1 client that shares it, how often it reads before the first answer", async (_, see, world) => {
    const store = new LimitStore(world);
    const service = new Answering(store);
    service.call("a", 17);
    await wait(0);
    const startedAt = world.time.now;
    store.reads.length = 0;
    await wait(1_100);
    const reads = store.reads.map((at) => at - startedAt);
    see("less and less", reads, [41, 122, 283, 501]);
    service.end();
  }),
  scripted("rate limit: 1 client that shares it, how often it reads", async (_, see, world) => {
    const store = new LimitStore(world);
    const service = new Answering(store);
    service.call("a");
    await wait(0);
    see("once for a call", store.reads.length, 1);
    await service.answer("a", window(2));
    see("and once for its end", store.reads.length, 2);
    service.call("b", 3);
    await wait(0);
    store.reads.length = 0;
    const startedAt = world.time.now;
    await wait(2_000);
    const since = () => store.reads.map((at) => at - startedAt);
    see("less and less", since(), [41, 122, 283, 604, 1105, 1606]);
    await service.answer("b", window(0));
    store.reads.length = 0;
    await wait(1_000);
    see("after an answer", since(), [2_107, 2_608]);
    service.end();
  }),
];
