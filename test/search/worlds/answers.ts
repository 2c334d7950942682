// What one client sends within the service's rate limit, answer by answer.
import type { Definition } from "../world.js";
import { Answering, both, turned, wait, window } from "./answering.js";
import { scripted } from "./scripted.js";

/** Limits, what is left of each, and how much of that is for calls of normal priority. */
const RESERVES = [
  [19, 3, 3],
  [20, 3, 2],
  [149, 5, 3],
  [150, 5, 2],
] as const;

export const answers: readonly Definition[] = [
  ...both("before the first answer", async (service, see) => {
    service.call("a", 100);
    await wait(0);
    see("at first", service.open.length, 15);
    await wait(499);
    see("half a second later", service.open.length, 15);
    await wait(2);
    see("as many again", service.open.length, 31);
    await wait(500);
    see("and again", service.open.length, 47);
    await service.answer("a", {}, 500);
    await wait(498);
    see("from the last answer", service.open.length, 46);
    await service.answer("a", window(40, 100));
    see("as the service says", service.open.length, 45);
    service.call("b", 1, { priority: "high" });
    await wait(0);
    see("all that is left are in flight", service.count("b"), 0);
  }),
  ...both("no limit", async (service, see) => {
    service.call("a", 40);
    await wait(0);
    see("at first", service.open.length, 15);
    await service.answer("a");
    see("without a limit", service.open.length, 39);
  }),
  ...both("what is left", async (service, see) => {
    service.call("a");
    await wait(0);
    await service.answer("a", window(3));
    service.call("b", 5);
    await wait(0);
    see("what is left", service.open.length, 3);
    await service.answer("b", window(2));
    see("none more", service.open.length, 2);
    await service.answer("b", window(0));
    await service.answer("b", window(1));
    await wait(59_000);
    see("nothing is left", service.open.length, 0);
    see(
      "in its state",
      [service.svc.rateLimit.remaining, service.svc.rateLimit.inFlight, service.svc.rateLimit.queued],
      [...[0, 0, 2]],
    );
    await wait(1_003);
    see("in the next window", [service.open.length], [2]);
  }),
  ...both("a requested wait", async (service, see) => {
    service.call("a", 2);
    service.call("c", 1);
    await wait(0);
    await service.answer("a", { "retry-after": "20" }, 429);
    await service.answer("a", { "retry-after": "10" }, 429);
    service.call("b", 3);
    await wait(0);
    see("it is blocked", [service.svc.rateLimit.isBlocked, service.count("b")], [true, 0]);
    await service.answer("c", window(18));
    await wait(19_998);
    see("until then", service.count("b"), 0);
    await wait(3);
    see("it ends", service.count("b"), 3);
  }),
  ...both("what calls that wait are told", async (service, see) => {
    service.call("a", 16);
    await wait(0);
    see("before the first answer", service.waits.splice(0), [undefined]);
    await service.answer("a", window(0));
    service.call("b");
    await wait(0);
    const [untilEnd = 0] = service.waits.splice(0);
    see("until the window's end", untilEnd > 59_000 && untilEnd <= 60_000, true);
    await wait(64_000);
    await service.answer("b", { "retry-after": "20" }, 429);
    service.call("c");
    await wait(0);
    const [asked = 0] = service.waits.splice(0);
    see("as long as the service asks", asked > 19_000 && asked <= 20_000, true);
  }),
  ...both("a wait that is too long", async (service, see) => {
    service.call("a", 2);
    await wait(0);
    await service.answer("a", { "retry-after": "3600" }, 429);
    service.call("b");
    await wait(0);
    see("the calls", [service.ended, service.count("b")], [["a RateLimitError", "b RateLimitError"], 0]);
    await service.answer("a");
    await wait(3_590_000);
    service.call("c", 3);
    await wait(9_000);
    see("near its end", service.count("c"), 0);
    await wait(1_003);
    see("one at a time", service.count("c"), 1);
    await service.answer("c", window(18));
    see("then all", service.count("c"), 2);
  }),
  ...both("429s without a wait", async (service, see) => {
    for (const ms of [250, 500, 1_000, 2_000, 4_000, 4_000]) {
      service.call("a");
      await wait(0);
      await service.answer("a", {}, 429);
      service.call("b");
      await wait(ms - 1);
      see(`before ${ms} ms`, service.count("b"), 0);
      await wait(3);
      see(`after ${ms} ms`, service.count("b"), 1);
      await service.answer("b", {}, 500);
      await wait(1_000);
    }
    service.call("c");
    await wait(0);
    await service.answer("c");
    service.call("a");
    await wait(0);
    await service.answer("a", {}, 429);
    service.call("d");
    await wait(249);
    see("after a success", service.count("d"), 0);
    await wait(3);
    see("it starts again", service.count("d"), 1);
  }),
  ...both("a 429 when nothing is left", async (service, see) => {
    service.call("a", 2);
    await wait(0);
    await service.answer("a", window(0));
    await wait(1_000);
    await service.answer("a", window(0), 429);
    service.call("b");
    await wait(58_998);
    see("until the window's end", [service.count("b"), service.svc.rateLimit.isBlocked], [0, true]);
    await wait(3);
    see("then", service.count("b"), 1);
  }),
  ...both("calls in flight at the end of a window", async (service, see) => {
    await turned(service, 18);
    service.call("new", 20);
    await wait(0);
    see("they count", service.count("new"), 0);
    for (let number = 0; number < 10; number += 1) await service.answer("before", window(0));
    see("as they end", service.count("new"), 7);
    await wait(2_998);
    see("for three seconds", service.count("new"), 10);
    await wait(3);
    see("not longer", service.count("new"), 18);
    await service.answer("before", window(17));
    await service.answer("before", window(18));
    see("a window has no less than the last", service.count("new"), 18);
    await service.answer("new", window(5));
    await service.answer("before", window(18));
    see("what is left", service.svc.rateLimit.remaining, 5);
  }),
  ...both("responses of an earlier window", async (service, see) => {
    service.call("before", 2);
    await wait(63_001);
    service.call("a", 40);
    await wait(0);
    see("at first", service.count("a"), 13);
    await service.answer("before");
    see("it doesn't show that there is no limit", service.count("a"), 14);
    await service.answer("before", {}, 500);
    see("nor does a failure", service.count("a"), 15);
    await service.answer("a");
    see("a later one does", service.count("a"), 39);
  }),
  ...both("a late response with a high count", async (service, see) => {
    await turned(service, 4);
    await wait(3_001);
    service.call("new", 30);
    await wait(0);
    see("at first", service.count("new"), 15);
    await service.answer("before", window(17));
    see("a window has no less than the last", service.count("new"), 17);
    await service.answer("before", window(5));
    await service.answer("before", window(18));
    see("nor more than one of it", service.count("new"), 17);
  }),
  ...both("a 429 beside a known limit", async (service, see) => {
    service.call("a", 2);
    await wait(0);
    await service.answer("a", window(1_999, 2_000));
    await service.answer("a", window(1_500, 2_000), 429);
    await wait(251);
    service.call("b", 600);
    await wait(0);
    see("there is another one", service.count("b"), 3);
  }),
  ...both("a window without an answer", async (service, see) => {
    await turned(service, 0);
    service.call("x");
    await wait(0);
    await service.answer("x", {}, 500);
    await wait(63_001);
    service.call("a", 20);
    await wait(0);
    see("the next one", service.count("a"), 15);
  }),
  ...both("calls that failed", async (service, see) => {
    service.call("a");
    await wait(0);
    await service.answer("a", {}, 500);
    await wait(20_000);
    service.call("b", 100);
    await wait(0);
    see("they leave no credit", service.count("b"), 15);
  }),
  ...both("a short window", async (service, see) => {
    service.call("first");
    await wait(0);
    await service.answer("first", window(18, 19, "4s"));
    service.call("before", 18);
    await wait(4_000);
    service.call("new", 20);
    await wait(998);
    see("a quarter of it", service.count("new"), 0);
    await wait(3);
    see("then", service.count("new"), 15);
  }),
  ...both("a small share of the window", async (service, see) => {
    await turned(service, 0);
    service.call("mine");
    await wait(0);
    await service.answer("mine", window(1));
    await wait(60_000);
    service.call("a", 20);
    await wait(0);
    see("a quarter", service.count("a"), 3);
    await service.answer("a", window(18));
    see("of what is left", service.count("a"), 5);
  }),
  ...both("half of the window", async (service, see) => {
    service.call("first");
    await wait(0);
    await service.answer("first", window(100, 200));
    await wait(60_000);
    for (const left of [110, 60]) {
      service.call("one");
      await wait(0);
      await service.answer("one", window(left, 200));
    }
    for (let number = 0; number < 68; number += 1) {
      service.call("one");
      await wait(0);
      await service.answer("one", window(60, 200));
    }
    await wait(60_000);
    service.call("a", 100);
    await wait(0);
    see("at first", service.count("a"), 24);
    await service.answer("a", window(100, 200));
    see("then", service.count("a"), 50);
  }),
  ...both("a large window", async (service, see) => {
    service.call("first");
    await wait(0);
    await service.answer("first", window(1_999, 2_000));
    await wait(60_000);
    service.call("a", 600);
    await wait(0);
    see("a quarter of it", service.count("a"), 499);
  }),
  ...RESERVES.flatMap(([limit, left, normal]) =>
    both(`a reserve of a limit of ${limit}`, async (service, see) => {
      service.call("first");
      await wait(0);
      await service.answer("first", window(left, limit));
      service.call("normal", 10);
      await wait(0);
      see("normal calls", service.count("normal"), normal);
      service.call("high", 10, { priority: "high" });
      await wait(0);
      see("all calls", service.open.length, left);
    }),
  ),
  ...both("the end of a reserve", async (service, see) => {
    service.call("first");
    await wait(0);
    await service.answer("first", window(1, 20));
    service.call("a", 2);
    await wait(29_998);
    see("in the first half", service.count("a"), 0);
    await wait(3);
    see("in the second half", service.count("a"), 1);
    await service.answer("a", window(0, 20));
    see("nothing is left", service.count("a"), 0);
  }),
  scripted("rate limit: 1 client, the end of a burst", async (_, see) => {
    const service = new Answering();
    service.call("first");
    await wait(0);
    await service.answer("first", window(0, 20));
    service.call("before", 16);
    await wait(60_002);
    const { length } = service.open;
    see("in the next window", length, 15);
    for (let number = 0; number < length; number += 1) await service.answer("before", window(1, 20));
    see("the last one", service.count("before"), 1);
  }),
  ...both("responses that overtake each other", async (service, see) => {
    service.call("a", 3);
    await wait(0);
    await service.answer("a", window(5));
    await service.answer("a", window(9));
    see("the lowest count", service.svc.rateLimit.remaining, 5);
    service.call("b", 1);
    await wait(0);
    await service.answer("b", window(18));
    see("a later call shows a new window", service.svc.rateLimit.remaining, 18);
  }),
  ...both("a window of unknown length", async (service, see) => {
    service.call("a");
    await wait(0);
    await service.answer("a", { "x-ratelimit": "100", "x-ratelimit-remaining": "2" });
    service.call("b", 5);
    await wait(0);
    see("what is left", service.count("b"), 2);
    await service.answer("b", { "x-ratelimit": "100", "x-ratelimit-remaining": "0" });
    await service.answer("b", { "x-ratelimit": "100", "x-ratelimit-remaining": "0" });
    see("one at a time", service.count("b"), 1);
  }),
  ...both("calls that can't be sent in time", async (service, see) => {
    service.call("a", 2);
    await wait(0);
    await service.answer("a", window(0));
    service.call("b", 1, { deadlineMs: 5_000 });
    await wait(1);
    see("a response may help", service.ended, ["a"]);
    await service.answer("a", window(0));
    service.call("c", 1, { deadlineMs: 5_000 });
    await wait(1);
    see("nothing can", service.ended.length, 4);
    service.call("d", 1, { deadlineMs: 65_000 });
    await wait(59_000);
    see("it waits", [service.count("d"), service.ended.length], [0, 4]);
    await wait(1_003);
    see("it is sent", service.count("d"), 1);
  }),
  ...both("calls that end before they are sent", async (service, see) => {
    const stop = new AbortController();
    service.call("a", 15);
    await wait(0);
    service.call("b", 1, { signal: stop.signal });
    service.call("c", 1, { deadlineMs: 300 });
    service.call("d");
    await wait(200);
    stop.abort();
    await wait(200);
    see("they aren't sent", [service.count("b"), service.count("c"), service.ended.length], [0, 0, 2]);
    await wait(102);
    see("the other one is", service.count("d"), 1);
  }),
];
