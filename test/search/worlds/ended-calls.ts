// Calls that end late, or without a response, and what a client sends then.
import type { Definition } from "../world.js";
import { Answering, both, LimitStore, turned, wait, window } from "./answering.js";
import { scripted } from "./scripted.js";

export const endedCalls: readonly Definition[] = [
  ...both("a late response with a low count", async (service, see) => {
    await turned(service, 4);
    await wait(3_001);
    service.call("new", 30);
    await wait(0);
    await service.answer("before", window(16));
    see("at first", service.count("new"), 15);
    await wait(501);
    see("it isn't taken for this window's", service.count("new"), 18);
  }),
  ...both("a late response and a small share of the window", async (service, see) => {
    await turned(service, 0);
    service.call("mine");
    service.call("late");
    await wait(0);
    await service.answer("mine", window(1));
    await wait(63_001);
    service.call("a", 20);
    await wait(0);
    see("a quarter", service.count("a"), 3);
    await service.answer("late", window(10));
    await wait(501);
    see("a quarter of its count isn't more", service.count("a"), 7);
  }),
  ...both("a late 429", async (service, see) => {
    await turned(service, 4);
    await wait(3_001);
    await service.answer("before", {}, 429);
    service.call("new");
    await wait(0);
    see("it doesn't block this window", [service.count("new"), service.svc.rateLimit.isBlocked], [1, false]);
  }),
  ...both("a first response that is slow", async (service, see) => {
    for (const label of ["a", "b"]) {
      service.call(label);
      await wait(10_000);
    }
    await service.answer("a", window(1));
    service.call("c", 3);
    await wait(42_900);
    see("what is left", service.count("c"), 0);
    await wait(200);
    see("the window began with the first call", service.count("c") > 0, true);
  }),
  ...both("429s of an earlier window", async (service, see) => {
    service.call("a", 6);
    await wait(0);
    await service.answer("a", window(18));
    for (let number = 0; number < 5; number += 1) await service.answer("a", { "retry-after": "1" }, 429);
    await wait(1_100);
    service.call("b", 5);
    await wait(0);
    for (const left of [18, 17, 16, 15, 14]) await service.answer("b", window(left));
    await wait(63_001);
    service.call("c", 20);
    await wait(0);
    see("no one else used this one", service.count("c"), 15);
  }),
  ...both("two responses with the same count", async (service, see) => {
    for (const ms of [0, 30_000]) {
      await wait(ms);
      service.call("a");
      await wait(0);
      await service.answer("a", window(1));
    }
    service.call("b", 3);
    await wait(29_000);
    see("what is left", service.count("b"), 1);
    await wait(4_003);
    see("the window ends as the first one said", service.count("b") > 1, true);
  }),
  ...both("two 429s at the same time", async (service, see) => {
    service.call("a", 2);
    await wait(0);
    await service.answer("a", {}, 429);
    await wait(100);
    await service.answer("a", {}, 429);
    service.call("b");
    await wait(149);
    see("they block", service.count("b"), 0);
    await wait(3);
    see("like the first", service.count("b"), 1);
  }),
  ...both("calls that end without a response", async (service, see) => {
    service.call("a");
    await wait(0);
    await service.answer("a", window(1));
    const stop = new AbortController();
    service.call("b", 1, { signal: stop.signal });
    service.call("c");
    await wait(0);
    see("one is left", [service.count("b"), service.count("c")], [1, 0]);
    stop.abort(new Error("stop"));
    await wait(50);
    see("the next one is sent", [service.count("c"), service.ended], [1, ["a", "b Error"]]);
  }),
  scripted("rate limit: 1 client, calls that are queued while its store fails", async (_, see, world) => {
    const store = new LimitStore(world);
    const service = new Answering(store);
    service.call("a");
    await wait(0);
    await service.answer("a", window(3));
    store.fault = () => Promise.reject(new Error("It is down."));
    service.call("b", 5);
    await wait(1);
    see("within its own limit", service.count("b"), 3);
    await service.answer("b", window(3));
    see("a response lets more be sent at once", [service.count("b"), world.time.now < 100], [3, true]);
  }),
];
