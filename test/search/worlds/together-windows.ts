// Rate windows beside slow steps of a call: beforeSend across an end, batches, losses of the store, and what is left over.
import type { Svc } from "../../../src/index.js";
import type { Definition, World } from "../world.js";
import { Answering, both, LimitStore, wait, window } from "./answering.js";
import { scripted } from "./scripted.js";
import { done, Service, tooMany } from "./service.js";

const bodyOf = (to: string) => ({ user_id: "user-1", version: "20251023_00", arguments: { to } });
type CallOptions = NonNullable<Parameters<Svc["tools"]["execute"]>[2]>;

/** A client that has sent a request in a window, and has two more. */
async function opened(world: World) {
  const service = new Service(world);
  const execute = (to: string, options: CallOptions = {}) =>
    service.svc.tools.execute("PAY", bodyOf(to), options).then(
      () => "ok",
      ({ name, outcome, attempts, phase }) => [name, outcome, attempts, phase].join(" ").trim(),
    );
  service.answers.push(() => done({}, window(2)));
  await execute("a");
  const { svc, sent, answers } = service;
  return { svc, sent, answers, execute };
}

/** A signal that tells how many listeners it has. */
function counting() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  Object.assign(signal, {
    addEventListener: (...args: Parameters<typeof addEventListener>) => {
      listeners.add(args[1]);
      addEventListener.apply(signal, args);
    },
    removeEventListener: (...args: Parameters<typeof removeEventListener>) => {
      listeners.delete(args[1]);
      removeEventListener.apply(signal, args);
    },
  });
  return { signal, listeners };
}

const down = () => Promise.reject(new Error("It is down."));

export const togetherWindows: readonly Definition[] = [
  scripted("rate limit: 1 client, a beforeSend that ends in a window that is used up", async (_, see, world) => {
    const { svc, sent, answers, execute } = await opened(world);
    let told = 0;
    const beforeSend = () => {
      told += 1;
      return wait(70_000);
    };
    const stop = new AbortController();
    const slow = execute("slow", { beforeSend });
    const aborted = execute("aborted", { beforeSend, signal: stop.signal });
    await wait(61_000);
    see("it has no slot of this window", [svc.rateLimit.remaining, svc.rateLimit.inFlight], [undefined, 2]);
    answers.push(() => done({}, window(0)));
    await execute("b");
    await wait(10_000);
    see("they wait", [sent, svc.rateLimit.queued, svc.rateLimit.inFlight], [["PAY a @0", "PAY b @61000"], 2, 0]);
    stop.abort(new RangeError("stop"));
    see("one ends", [await aborted, svc.rateLimit.queued], ["RangeError", 1]);
    see("the other is sent in the next window", [await slow, sent.at(-1), told], ["ok", "PAY slow @121001", 2]);
    see("nothing is left", [svc.rateLimit.inFlight, svc.rateLimit.queued, world.time.pending], [0, 0, ""]);
  }),
  scripted("rate limit: 1 client, a deadline in the second wait of a call", async (_, see, world) => {
    const { svc, sent, answers, execute } = await opened(world);
    const beforeSend = () => wait(70_000);
    const inTime = execute("c", { beforeSend, deadlineMs: 130_000 });
    const late = execute("d", { beforeSend, deadlineMs: 120_000 });
    await wait(61_000);
    answers.push(() => tooMany({ "retry-after": "60" }));
    see("a 429", await execute("b"), "RateLimitError rejected 1");
    see("one can't be sent in time", await late, "TimeoutError not_sent 0 queue");
    see("it knows when its beforeSend ends", world.time.now, 70_000);
    see("the other one can", [await inTime, sent.at(-1)], ["ok", "PAY c @121001"]);
    see("nothing is left", [svc.rateLimit.inFlight, world.time.pending], [0, ""]);
  }),
  scripted("rate limit: 1 client, a call without a key beside a block", async (_, see, world) => {
    const service = new Service(world);
    service.answers.push(
      () => tooMany({ "retry-after": "30" }),
      () => Response.json({ received: true }),
    );
    await service.svc.tools.execute("PAY", bodyOf("a")).catch(() => undefined);
    see("a leaked key is revoked", await service.svc.apiKeys.revoke({ api_keys: ["ak_1"] }), { received: true });
    see("at once", [service.sent[1], service.svc.rateLimit.isBlocked], ["api_key_revocation @0", true]);
  }),
  scripted("rate limit: 1 client, what calls leave behind", async (_, see, world) => {
    const { signal, listeners } = counting();
    const service = new Service(world, { maxRetries: 1 });
    const limits = { signal, deadlineMs: 50_000 };
    const execute = (more: CallOptions = {}) =>
      service.svc.tools.execute("PAY", bodyOf("a"), { ...limits, ...more }).catch(() => undefined);
    const left = () => [listeners.size, world.time.pending, service.svc.rateLimit.inFlight];
    await execute();
    see("one that succeeds", left(), [0, "", 0]);
    service.answers.push(() => tooMany({ "retry-after": "3" }));
    await execute({ beforeSend: () => wait(100) });
    see("one that is tried again", left(), [0, "", 0]);
    service.answers.push(() => tooMany({ "retry-after": "3" }));
    await Promise.all([execute({ maxRetries: 0 }), wait(1).then(() => execute())]);
    see("one that has waited", left(), [0, "", 0]);
    service.answers.push(() => tooMany({ "retry-after": "30" }));
    await execute({ maxRetries: 0 });
    const stop = new AbortController();
    const stopped = service.svc.toolkits.list({}, { signal: stop.signal }).catch(() => undefined);
    await wait(100);
    stop.abort();
    await stopped;
    see("one that was aborted while it waited", left(), [0, "", 0]);
    await execute({ deadlineMs: 10_000 });
    see("one that couldn't wait", left(), [0, "", 0]);
    service.answers.push(() => Response.json({ items: [{ slug: "a" }], next_cursor: "2" }));
    for await (const _item of service.svc.toolkits.list({}, limits)) break;
    see("a list", left(), [0, "", 0]);
  }),
  ...both("many calls that start together after a wait", async (service, see) => {
    service.call("a");
    await wait(0);
    await service.answer("a", { "retry-after": "5" }, 429);
    service.call("high", 130, { priority: "high" });
    service.call("normal", 130);
    await wait(5_400);
    see("as many as may start", service.open.length > 10, true);
    await service.answer("high");
    await wait(100);
    see("then all", [service.open.length, service.svc.rateLimit.queued], [259, 0]);
    see(
      "the high ones first",
      service.arrived.slice(1, 131).every((label) => label === "high"),
      true,
    );
  }),
  scripted("rate limit: 2 clients that share it, two 429s that the store didn't hear of", async (_, see, world) => {
    const store = new LimitStore(world);
    const [one, other] = [new Answering(store), new Answering(store)];
    one.call("a", 3);
    await wait(0);
    store.fault = down;
    await one.answer("a", { "retry-after": "20" }, 429);
    await one.answer("a", { "retry-after": "5" }, 429);
    store.fault = undefined;
    await wait(2_000);
    await one.answer("a", {}, 500);
    await wait(100);
    other.call("b");
    await wait(17_500);
    see("the other waits for the longer one", [other.count("b"), one.outages], [0, []]);
    await wait(1_500);
    see("until it ends", other.count("b"), 1);
    one.end();
    other.end();
  }),
  scripted("rate limit: 2 clients that share it, a reserve and one that comes later", async (_, see, world) => {
    const store = new LimitStore(world);
    const one = new Answering(store);
    one.call("a");
    await wait(0);
    await one.answer("a", window(40, 50));
    await wait(61_000);
    one.call("b");
    await wait(0);
    await one.answer("b", window(1, 50));
    const other = new Answering(store);
    other.call("normal");
    await wait(1_000);
    see("what is reserved isn't for its first call", other.count("normal"), 0);
    other.call("high", 1, { priority: "high" });
    await wait(600);
    see("but for a high one", [other.count("normal"), other.count("high")], [0, 1]);
    one.end();
    other.end();
  }),
  scripted("rate limit: 1 client that shares it, the end of a burst", async (_, see, world) => {
    const service = new Answering(new LimitStore(world));
    service.call("first");
    await wait(0);
    await service.answer("first", window(0, 20));
    service.call("before", 16);
    await wait(60_100);
    see("the last one has waited since the window before", service.open.length, 16);
    service.end();
  }),
  ...both("a call at the end of a window beside one that waits for it", async (service, see) => {
    service.call("a");
    await wait(0);
    await service.answer("a", window(0));
    await wait(30_000);
    service.call("b");
    await wait(30_000);
    service.call("c");
    await wait(5);
    see("in their order", service.arrived, ["a", "b", "c"]);
  }),
  scripted(
    "rate limit: 1 client, a beforeSend that ends in the next window, and its response",
    async (_, see, world) => {
      const { svc, answers, execute } = await opened(world);
      answers.push(() => done({}, window(5)));
      await execute("slow", { beforeSend: () => wait(70_000) });
      see("it counts for that window", svc.rateLimit.remaining, 5);
    },
  ),
  scripted("rate limit: 1 client, an outage of its store that lasts", async (_, see, world) => {
    const store = new LimitStore(world);
    store.fault = down;
    const service = new Answering(store);
    const tries = () => store.reads.splice(0).length;
    const send = async (label: string) => {
      service.call(label);
      await wait(0);
      await service.answer(label, window(10));
    };
    await send("a");
    see("for the first call", tries(), 1);
    await wait(1_100);
    for (const label of ["b", "c", "d"]) await send(label);
    see("a second later, once", tries(), 1);
    await wait(1_100);
    service.call("e", 12);
    await wait(0);
    await service.answer("e", window(5));
    await wait(500);
    see("while calls wait, once", [tries(), service.svc.rateLimit.queued > 0], [1, true]);
    see("it is told once", service.outages.length, 1);
    store.fault = undefined;
    await wait(600);
    await service.answer("e", window(5));
    see("it works again", [service.svc.rateLimit.isShared, service.outages.length], [true, 1]);
    store.fault = down;
    await send("f");
    await wait(100);
    service.call("g");
    await wait(0);
    see("the next outage is told", service.outages.length, 2);
    service.end();
  }),
  ...both("a longer wait while a call with a deadline waits", async (service, see) => {
    service.call("a", 2);
    await wait(0);
    await service.answer("a", { "retry-after": "10" }, 429);
    service.call("b", 1, { deadlineMs: 5_000 });
    service.call("c", 1, { deadlineMs: 15_000 });
    service.call("d", 1, { deadlineMs: 25_000 });
    await wait(600);
    see("it is in time for two", service.ended, ["a RateLimitError", "b TimeoutError"]);
    await service.answer("a", { "retry-after": "20" }, 429);
    await wait(600);
    see("then for one", service.ended.slice(2).toSorted(), ["a RateLimitError", "c TimeoutError"]);
    await wait(20_000);
    see("which is sent", [service.arrived.at(-1), service.ended.length], ["d", 4]);
  }),
  ...both("a ban, a shorter wait, and responses from before it", async (service, see) => {
    service.call("a", 4);
    await wait(0);
    await service.answer("a", { "retry-after": "600" }, 429);
    await service.answer("a", { "retry-after": "5" }, 429);
    await wait(600_100);
    service.call("b", 3);
    await wait(3_500);
    see("one at a time", service.count("b"), 1);
    await service.answer("a", window(18));
    await wait(600);
    see("a response from before shows nothing", service.count("b"), 1);
    await service.answer("b", window(18));
    await wait(600);
    see("one after it does", service.count("b"), 2);
  }),
  ...both("a 429 that asks for no time beside a known window", async (service, see) => {
    service.call("a", 3);
    await wait(0);
    await service.answer("a", window(18));
    await service.answer("a", { ...window(0), "retry-after": "0" }, 429);
    service.call("b");
    await wait(240);
    see("it waits", service.count("b"), 0);
    await wait(600);
    see("not for the window", service.count("b"), 1);
  }),
  ...both("a 429 in a window that is longer than a call waits", async (service, see) => {
    service.call("a", 2);
    await wait(0);
    await service.answer("a", window(5, 19, "61s"));
    await service.answer("a", window(0, 19, "61s"), 429);
    service.call("b");
    await wait(900);
    see("it is sent after the shortest wait", service.count("b"), 1);
  }),
  ...both("headers that are missing in a response that isn't a success", async (service, see) => {
    service.call("a", 2);
    await wait(0);
    await service.answer("a", window(2));
    await service.answer("a", {}, 500);
    see("the limit is known", service.svc.rateLimit.reported, { limit: 19, remaining: 2, windowMs: 60_000 });
    service.call("b", 5);
    await wait(600);
    see("and what is left", service.count("b"), 2);
  }),
];
