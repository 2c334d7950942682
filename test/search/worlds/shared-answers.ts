// What clients send that share a rate limit in a store, answer by answer, and what they do when the store fails.
import type { Definition } from "../world.js";
import { Answering, LimitStore, wait, window } from "./answering.js";
import { scripted } from "./scripted.js";

/** Numbers that no window of this package has, by field. */
const IMPOSSIBLE: readonly (readonly [string, unknown])[] = [
  ["resets", "1"],
  ["resets", -1],
  ["rejected", -1],
  ["backoffs", -1],
  ["carriedUntil", -1],
  ["started", -1],
  ["started", null],
  ["isBanned", 1],
  ["isAnswered", null],
  ["firstBefore", 900],
  ["first", 900],
  ["newer", 900],
  ["share", 0],
  ["share", 1.5],
  ["inFlight", 900],
  ["carried", 900],
  ["carriedUntil", 9_000_000_000],
  ["answeredAt", 9_000_000_000],
  ["openedAt", 9_000_000_000],
  ["openedAt", "now"],
  ["openedAt", undefined],
  ["remaining", -1],
  ["blockedUntil", "never"],
  ["reported", 5],
  ["reported", { limit: -1, remaining: 1 }],
];

/** Counts that don't fit together, although each of them is possible. */
const CONTRADICTORY: readonly object[] = [
  { started: 10, first: 8, newer: 0, inFlight: 5 },
  { started: 10, first: 8, newer: 0, firstBefore: 6, inFlight: 0, carried: 5 },
];

export const sharedAnswers: readonly Definition[] = [
  scripted("rate limit: 2 clients that share it, answer by answer", async (_, see, world) => {
    const store = new LimitStore(world);
    const [one, other] = [new Answering(store), new Answering(store)];
    one.call("a");
    await wait(0);
    await one.answer("a", window(4));
    see("it is shared", [one.svc.rateLimit.isShared, other.svc.rateLimit.isShared], [true, true]);
    other.call("b", 3);
    await wait(0);
    one.call("c", 3);
    await wait(0);
    see("together", [other.open.length, one.open.length], [3, 1]);
    await other.answer("b", window(2));
    await wait(600);
    see("still together", [other.open.length, one.open.length], [2, 1]);
    await one.answer("c", { "retry-after": "20" }, 429);
    await other.answer("b", window(5));
    other.call("d");
    await wait(19_000);
    see("both wait", [other.count("d"), one.count("c")], [0, 0]);
    await wait(2_000);
    see("both go on", [other.count("d"), one.count("c")], [1, 2]);
  }),
  scripted("rate limit: 2 clients that share it, one of which dies", async (_, see, world) => {
    const store = new LimitStore(world);
    const [one, other] = [new Answering(store), new Answering(store)];
    one.call("a");
    await wait(0);
    await one.answer("a", window(6));
    one.call("dead", 6);
    await wait(0);
    other.call("b", 8);
    await wait(55_000);
    see("its calls count", other.open.length, 0);
    await wait(6_000);
    see("in the next window", other.open.length, 8);
  }),
  scripted("rate limit: 1 client, its calls wait for no store that fails", async (_, see, world) => {
    const store = new LimitStore(world);
    const service = new Answering(store);
    service.call("a");
    await wait(0);
    await service.answer("a", window(10));
    store.fault = () => Promise.reject(new Error("It is down."));
    const { length } = store.reads;
    service.call("b", 2);
    await wait(1);
    see("they are sent", [service.count("b"), service.svc.rateLimit.isShared, service.outages.length], [2, false, 1]);
    await service.answer("b", window(3));
    service.call("c", 5);
    await wait(1);
    see("within its own limit", service.open.length, 3);
    await service.answer("c", { "retry-after": "5" }, 429);
    see("it is tried once", store.reads.length - length, 1);
    store.fault = undefined;
    await wait(1_100);
    service.call("d");
    await wait(100);
    see("it works again", [service.count("d"), service.svc.rateLimit.isShared, service.outages.length], [0, true, 1]);
    const later = new Answering(store);
    later.call("e");
    await wait(100);
    see("the others know of its wait", later.count("e"), 0);
    await wait(3_700);
    see("until it ends", [service.count("c"), service.count("d"), later.count("e")], [1, 0, 0]);
    await wait(2_500);
    see("it ends", [service.count("c"), service.count("d"), later.count("e")], [4, 1, 1]);
  }),
  scripted("rate limit: 2 clients that share it, a 429 that the store didn't hear of", async (_, see, world) => {
    const store = new LimitStore(world);
    const [one, other] = [new Answering(store), new Answering(store)];
    one.call("a", 2);
    await wait(0);
    store.fault = () => Promise.reject(new Error("It is down."));
    await one.answer("a", { "retry-after": "20" }, 429);
    store.fault = undefined;
    await wait(2_000);
    await one.answer("a", {}, 500);
    await wait(2_000);
    other.call("b");
    await wait(1_000);
    see("the other waits", other.count("b"), 0);
    await wait(16_000);
    see("until it ends", other.count("b"), 1);
    other.end();
    one.end();
  }),
  scripted("rate limit: 1 client, a store that is slow", async (_, see, world) => {
    const store = new LimitStore(world);
    const service = new Answering(store);
    store.fault = () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error("late")), 60_000));
    service.call("a");
    await wait(248);
    see("it waits", service.open.length, 0);
    await wait(5);
    see("and then doesn't", [service.open.length, service.outages.length], [1, 1]);
    await service.answer("a", window(10));
    service.call("b", 3);
    await wait(0);
    see("nor do later calls", service.count("b"), 3);
    await wait(3_000);
    store.fault = undefined;
    service.call("c");
    await wait(0);
    await service.answer("c", window(5));
    service.call("c");
    await wait(1_100);
    see("later, its store works", [service.count("c"), service.svc.rateLimit.isShared], [1, true]);
  }),
  scripted("rate limit: 1 client, what the store has isn't a window", async (_, see, world) => {
    const store = new LimitStore(world);
    const first = new Answering(store);
    first.call("a", 3);
    await wait(0);
    await first.answer("a", window(10));
    const { value = "" } = store;
    const good: object = JSON.parse(value.slice(2));
    const texts = ["odd", "2:", "2:[]", `1:${value.slice(2)}`].concat(
      IMPOSSIBLE.map(([name, odd]) => `2:${JSON.stringify({ ...good, [name]: odd })}`),
      CONTRADICTORY.map((counts) => `2:${JSON.stringify({ ...good, ...counts })}`),
    );
    for (const text of texts) {
      store.value = text;
      const service = new Answering(store);
      service.call("b");
      await wait(0);
      const isTold = service.outages[0]?.includes("something other than a window");
      see(text.slice(0, 400), [service.open.length, service.svc.rateLimit.isShared, isTold], [1, false, true]);
    }
    for (const odd of [{ value: undefined, now: Number.NaN }, { value: undefined, now: "5" }, undefined]) {
      const service = new Answering({ read: async () => odd as never, compareAndSwap: async () => true });
      service.call("c");
      await wait(0);
      see("no time", [service.open.length, service.svc.rateLimit.isShared], [1, false]);
    }
    store.value = undefined;
    for (const odd of [undefined, 1, "true"]) {
      const service = new Answering({ read: store.read, compareAndSwap: async () => odd as never });
      service.call("d");
      await wait(0);
      see("no answer to a write", [service.open.length, service.svc.rateLimit.isShared], [1, false]);
    }
    store.value = value;
    const service = new Answering(store);
    service.call("e");
    await wait(0);
    see("a window", [service.open.length, service.svc.rateLimit.isShared], [1, true]);
  }),
  scripted("rate limit: 1 client, others write first", async (_, see, world) => {
    const store = new LimitStore(world);
    let first = 5;
    const contended = {
      read: store.read,
      compareAndSwap: async (expected: string | undefined, next: string) => {
        first -= 1;
        return first > 0 ? false : store.compareAndSwap(expected, next);
      },
    };
    const service = new Answering(contended);
    service.call("a");
    await wait(0);
    see("it tries again", [service.open.length, service.outages.length], [1, 0]);
    await service.answer("a", window(10));
    first = 1_000_000;
    service.call("b");
    await wait(1_000);
    see("it tries again later", [service.count("b"), service.outages.length], [1, 1]);
    let tries = 0;
    const slow = new Answering({
      read: store.read,
      compareAndSwap: async () => {
        tries += 1;
        await wait(100);
        return false;
      },
    });
    slow.call("c");
    await wait(1_500);
    see("nor for long", [slow.count("c"), slow.outages.length, tries], [1, 1, 10]);
  }),
];
