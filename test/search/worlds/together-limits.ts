// The rate limit beside priorities, deadlines, aborts, beforeSend, retries and a store that is shared.
import type { Definition } from "../world.js";
import { Answering, both, LimitStore, wait, window } from "./answering.js";
import { scripted } from "./scripted.js";
import { done, Service, tooMany } from "./service.js";

const BODY = { user_id: "user-1", version: "20251023_00", arguments: { to: "a" } };

export const togetherLimits: readonly Definition[] = [
  ...both("priorities, aborts and deadlines of calls that wait", async (service, see) => {
    service.call("first");
    await wait(0);
    await service.answer("first", window(0));
    const stop = new AbortController();
    service.call("normal 0");
    service.call("normal 1", 1, { signal: stop.signal });
    service.call("normal 2", 1, { deadlineMs: 30_000 });
    service.call("normal 3");
    service.call("high 1", 1, { priority: "high", signal: stop.signal });
    service.call("high 2", 1, { priority: "high" });
    await wait(1_000);
    see("one whose deadline is too early ends at once", service.ended, ["first", "normal 2 TimeoutError"]);
    stop.abort(new Error("stop"));
    await wait(0);
    see("aborted ones, too", service.ended.slice(2).toSorted(), ["high 1 Error", "normal 1 Error"]);
    await wait(62_000);
    see("the others are sent, the high one first", service.arrived, ["first", "high 2", "normal 0", "normal 3"]);
    await wait(30_000);
    see("and none of those", [service.arrived.length, service.svc.rateLimit.queued], [4, 0]);
  }),
  ...both("a 429 while calls of both priorities wait", async (service, see) => {
    service.call("a", 3);
    await wait(0);
    await service.answer("a", window(2));
    service.call("normal", 2);
    service.call("high", 1, { priority: "high" });
    await wait(0);
    see("none is left", [service.count("normal"), service.count("high")], [0, 0]);
    await service.answer("a", { "retry-after": "5" }, 429);
    await service.answer("a", window(9));
    await wait(4_900);
    see("all wait", [service.count("normal"), service.count("high")], [0, 0]);
    await wait(700);
    see("then they are sent", service.arrived.slice(3), ["high", "normal", "normal"]);
  }),
  ...both("a deadline that ends exactly with a wait", async (service, see) => {
    service.call("a");
    await wait(0);
    await service.answer("a", { "retry-after": "20" }, 429);
    for (const deadlineMs of [19_999, 20_000, 20_600]) service.call(`${deadlineMs}`, 1, { deadlineMs });
    await wait(1);
    see("it can't be sent in time", service.ended.slice(1), ["19999 TimeoutError", "20000 TimeoutError"]);
    await wait(20_500);
    see("the other one can", service.arrived, ["a", "20600"]);
  }),
  ...both("the longest wait, and one that is a second longer", async (service, see) => {
    service.call("a");
    await wait(0);
    await service.answer("a", { "retry-after": "60" }, 429);
    service.call("b");
    await wait(59_900);
    see("a minute is waited for", [service.count("b"), service.ended], [0, ["a RateLimitError"]]);
    await wait(700);
    see("then it is sent", service.count("b"), 1);
    await service.answer("b", { "retry-after": "61" }, 429);
    service.call("c");
    await wait(1);
    see("more isn't", service.ended, ["a RateLimitError", "b RateLimitError", "c RateLimitError"]);
  }),
  ...both("a window that ends while calls wait for its first response", async (service, see) => {
    service.call("a", 40);
    await wait(0);
    see("at first", service.count("a"), 15);
    await service.answer("a", window(18));
    see("the service's count", service.count("a"), 18);
    for (const left of [17, 16, 3]) await service.answer("a", window(left));
    see("the lowest", service.count("a"), 15);
    for (let number = 0; number < 12; number += 1) await service.answer("a", window(3));
    see("three of them are left", [service.count("a"), service.svc.rateLimit.remaining], [3, 3]);
  }),
  scripted("rate limit: 1 client, a new window while beforeSend runs", async (_, see, world) => {
    const service = new Service(world);
    service.answers.push(() => done({}, window(1)));
    await service.svc.tools.execute("PAY", BODY);
    const told: number[] = [];
    const beforeSend = async ({ waitedMs }: { waitedMs: number }) => {
      told.push(waitedMs);
      await wait(70_000);
    };
    await service.svc.tools.execute("PAY", BODY, { beforeSend });
    see("it is told once, and sent in the new window", [told, service.sent], [[0], ["PAY a @0", "PAY a @70000"]]);
    see("its slot was returned", service.svc.rateLimit.inFlight, 0);
  }),
  scripted("rate limit: 1 client, a retry after a 429 beside a call that waits", async (_, see, world) => {
    const service = new Service(world, { maxRetries: 1 });
    service.answers.push(() => tooMany({ "retry-after": "2" }));
    const first = service.svc.tools.execute("PAY", BODY);
    await wait(100);
    const second = service.svc.tools.execute("TIP", BODY, { priority: "high" });
    await Promise.all([first, second]);
    const times = service.sent.map((line) => line.replace(/ a @(\d+)\d{3}$/, " $1 s"));
    see("both go on when it ends", [times[0], times.slice(1).toSorted()], ["PAY a @0", ["PAY 2 s", "TIP 2 s"]]);
  }),
  scripted("rate limit: 1 client, a list that waits for the end of a 429, and its abort", async (_, see, world) => {
    const service = new Service(world);
    service.answers.push(() => tooMany({ "retry-after": "30" }));
    await service.svc.tools.execute("PAY", BODY).catch(() => undefined);
    see("it is blocked", service.svc.rateLimit.isBlocked, true);
    const stop = new AbortController();
    const waiting = service.svc.toolkits.list({}, { signal: stop.signal }).catch((error: Error) => error.message);
    await wait(1_000);
    see("a list waits", [service.sent.length, service.svc.rateLimit.queued], [1, 1]);
    stop.abort(new Error("stop"));
    see("until it is aborted", [await waiting, service.svc.rateLimit.queued, world.time.now], ["stop", 0, 1_000]);
  }),
  scripted("rate limit: 2 clients that share it, a high priority and a reserve", async (_, see, world) => {
    const store = new LimitStore(world);
    const [one, other] = [new Answering(store), new Answering(store)];
    one.call("a");
    await wait(0);
    await one.answer("a", window(3, 50));
    other.call("normal", 5);
    await wait(0);
    see("one is reserved", other.count("normal"), 2);
    one.call("high", 2, { priority: "high" });
    await wait(100);
    see("for a high one, of any client", [one.count("high"), other.count("normal")], [1, 2]);
    one.end();
    other.end();
  }),
  scripted("rate limit: 2 clients that share it, a 429 of one and an outage of the other", async (_, see, world) => {
    const store = new LimitStore(world);
    let isDown = false;
    const faulty = {
      read: () => (isDown ? Promise.reject(new Error("It is down.")) : store.read()),
      compareAndSwap: (...args: Parameters<typeof store.compareAndSwap>) =>
        isDown ? Promise.reject(new Error("It is down.")) : store.compareAndSwap(...args),
    };
    const [one, other] = [new Answering(store), new Answering(faulty)];
    other.call("a");
    await wait(0);
    await other.answer("a", window(9));
    one.call("b");
    await wait(0);
    await one.answer("b", { "retry-after": "20" }, 429);
    other.call("c");
    await wait(100);
    see("it knows", [other.count("c"), other.svc.rateLimit.isShared], [0, true]);
    isDown = true;
    await wait(2_000);
    see("without the store, it knows only its own", [other.count("c"), other.svc.rateLimit.isShared], [1, false]);
    one.end();
    other.end();
  }),
  scripted("rate limit: 1 client, a store that takes no writes for a while", async (_, see, world) => {
    const store = new LimitStore(world);
    let isReadOnly = false;
    const service = new Answering({
      read: store.read,
      compareAndSwap: (...args) =>
        isReadOnly ? Promise.reject(new Error("It is read-only.")) : store.compareAndSwap(...args),
    });
    const sent = async () => {
      service.call("a");
      await wait(1);
      await service.answer("a", window(10));
      return [service.svc.rateLimit.isShared, service.outages.length];
    };
    see("it works", await sent(), [true, 0]);
    isReadOnly = true;
    for (let retry = 0; retry < 4; retry += 1) {
      see(
        "one outage",
        [await sent(), await sent()],
        [
          [false, 1],
          [false, 1],
        ],
      );
      await wait(1_100);
    }
    see("it was read each time", store.reads.length >= 5, true);
    isReadOnly = false;
    await sent();
    see("it works again", await sent(), [true, 1]);
    isReadOnly = true;
    see("another outage", await sent(), [false, 2]);
    service.end();
  }),
];
