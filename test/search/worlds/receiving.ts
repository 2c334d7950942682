// What a sender and a handler see of deliveries, one after the other.
import { signedDelivery } from "../../../src/testing/index.js";
import {
  createReceiver,
  type DedupeStore,
  type HandlerContext,
  memoryDeliveries,
} from "../../../src/webhooks/index.js";
import type { Definition } from "../world.js";
import { scripted } from "./scripted.js";

const secret = "whsec_a secret for the search, 0123456789";
const HANDLER_MS = 10_000;
/** How long a claim lasts, and how long its store may take. */
const LEASE_MS = 2 * HANDLER_MS;
const STORE_MS = LEASE_MS / 4;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A receiver whose handler does what it is told, and whose store can be made to fail. */
class Receiving {
  readonly handled: string[] = [];
  readonly errors: string[] = [];
  readonly signals: AbortSignal[] = [];
  /** The next run of the handler. */
  handle: (context: HandlerContext) => unknown = () => undefined;
  /** Methods that take the place of the store's. */
  readonly faults: Partial<DedupeStore> = {};
  readonly requests: string[] = [];
  readonly receive: ReturnType<typeof createReceiver>;

  constructor(store: DedupeStore = memoryDeliveries(), handlerTimeoutMs = HANDLER_MS) {
    const method = <Name extends keyof DedupeStore>(name: Name) =>
      ((...args: Parameters<DedupeStore[Name]>) => {
        this.requests.push(`${name} ${args[0]}`);
        return (this.faults[name] ?? store[name])(...(args as [never, never, never]));
      }) as DedupeStore[Name];
    this.receive = createReceiver({
      secrets: [secret],
      handlerTimeoutMs,
      store: { claim: method("claim"), renew: method("renew"), commit: method("commit"), release: method("release") },
      on: {},
      onUnhandled: async (_, context) => {
        this.handled.push(context.delivery.id);
        this.signals.push(context.signal);
        await this.handle(context);
      },
      onError: (error, { status }) => this.errors.push(`${status} ${error instanceof Error ? error.message : error}`),
    });
  }

  /** The status and the result of a delivery. */
  async deliver(id: string): Promise<string> {
    const { request } = signedDelivery({ secret, id, timestamp: new Date(Date.now()) });
    const response = await this.receive(request);
    const body = await response.json();
    return [response.status, body.result ?? body.error.reason].join(" ");
  }
}

export const receiving: readonly Definition[] = [
  scripted("deliveries: 1 receiver, one after the other", async (_, see) => {
    const receiver = new Receiving();
    see("an event", await receiver.deliver("a"), "200 handled");
    see("again", await receiver.deliver("a"), "200 duplicate");
    receiver.handle = () => {
      throw new Error("It failed.");
    };
    see("one that fails", await receiver.deliver("b"), "500 handler_failed");
    receiver.handle = () => undefined;
    see("again", await receiver.deliver("b"), "200 handled");
    receiver.handle = () => wait(9_000);
    const running = receiver.deliver("c");
    await wait(1_000);
    see("while it runs", await receiver.deliver("c"), "503 running");
    see("it ends", await running, "200 handled");
    see("once each", receiver.handled, ["a", "b", "b", "c"]);
    see("errors", receiver.errors, ["500 It failed."]);
    see(
      "no claim was lost",
      receiver.signals.some(({ aborted }) => aborted),
      false,
    );
  }),
  scripted("deliveries: 1 receiver, a handler that is late", async (_, see) => {
    const receiver = new Receiving();
    receiver.handle = () => wait(70_000);
    see("it is late", await receiver.deliver("a"), "503 running");
    see("its signal", receiver.signals[0]?.aborted, true);
    await wait(40_000);
    see("while it runs", await receiver.deliver("a"), "503 running");
    await wait(30_000);
    see("then", await receiver.deliver("a"), "200 duplicate");
    see("errors", receiver.errors.length, 1);
    receiver.handle = ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
    see("one that stops", await receiver.deliver("b"), "503 running");
    see("errors", receiver.errors.length, 2);
    receiver.handle = async () => {
      await wait(15_000);
      throw new Error("It failed late.");
    };
    see("one that stopped is delivered again", await receiver.deliver("b"), "503 running");
    await wait(6_000);
    see("errors", receiver.errors.slice(3), ["503 It failed late."]);
    receiver.handle = () => undefined;
    see("again", await receiver.deliver("b"), "200 handled");
    see("once each", receiver.handled, ["a", "b", "b", "b"]);
  }),
  scripted("deliveries: 1 receiver, a store that can't claim", async (_, see) => {
    const receiver = new Receiving();
    receiver.faults.claim = () => Promise.reject(new Error("It is down."));
    see("it is down", await receiver.deliver("a"), "503 store_unavailable");
    for (const odd of [
      undefined,
      null,
      "claimed",
      {},
      { status: "claimed" },
      { status: "claimed", token: 5 },
      { status: "free", token: "t" },
    ]) {
      receiver.faults.claim = async () => odd as never;
      see("an odd answer", await receiver.deliver("a"), "503 store_unavailable");
    }
    const store = memoryDeliveries();
    receiver.faults.claim = async (id, leaseMs) => {
      await wait(STORE_MS + 1_000);
      return store.claim(id, leaseMs);
    };
    receiver.requests.length = 0;
    const startedAt = performance.now();
    see("it is slow", await receiver.deliver("a"), "503 store_unavailable");
    see("so long", performance.now() - startedAt, STORE_MS);
    await wait(2_000);
    see("the late claim", receiver.requests, ["claim a", "release a"]);
    receiver.faults.claim = async () => {
      await wait(STORE_MS + 1_000);
      return { status: "running" };
    };
    receiver.requests.length = 0;
    see("it runs elsewhere", await receiver.deliver("a"), "503 store_unavailable");
    await wait(2_000);
    see("nothing is released", receiver.requests, ["claim a"]);
    delete receiver.faults.claim;
    see("then", await receiver.deliver("a"), "200 handled");
    see("once", receiver.handled, ["a"]);
  }),
  scripted("deliveries: 1 receiver, a store that can't commit", async (_, see) => {
    const receiver = new Receiving();
    let failures = 2;
    const store = memoryDeliveries();
    const shared = new Receiving(store);
    shared.faults.commit = async (id, token) => {
      failures -= 1;
      if (failures >= 0) throw new Error("It is down.");
      return store.commit(id, token);
    };
    const startedAt = performance.now();
    see("it works again", await shared.deliver("a"), "200 handled");
    see("after two waits", performance.now() - startedAt, 300);
    failures = 1_000;
    see("it doesn't", await shared.deliver("b"), "503 store_unavailable");
    see("errors", [shared.errors.length, shared.errors[0]?.includes("It is down.")], [1, true]);
    await wait(60_000);
    const { length } = shared.requests.filter((request) => request === "commit b");
    see("it tried until the lease ended", length > 5 && length < 15, true);
    see("errors", shared.errors.length, 2);
    failures = 0;
    see("the handler runs again", await shared.deliver("b"), "200 handled");
    receiver.faults.commit = async () => false;
    see("a claim that was lost", await receiver.deliver("c"), "503 running");
    receiver.faults.commit = async () => "yes" as never;
    receiver.handle = () => wait(LEASE_MS / 2 - 1);
    const odd = receiver.deliver("d");
    await wait(120_000);
    see("an odd answer", await odd, "503 store_unavailable");
    let answers = 0;
    receiver.handle = () => undefined;
    receiver.faults.commit = async () => {
      answers += 1;
      if (answers === 1) throw new Error("It is down.");
      return false;
    };
    see("perhaps it was recorded", await receiver.deliver("e"), "503 store_unavailable");
    see("errors", receiver.errors.length, 4);
  }),
  scripted("deliveries: 1 receiver, a store that is late", async (_, see) => {
    const store = memoryDeliveries();
    const receiver = new Receiving(store);
    receiver.faults.commit = async (id, token) => {
      await wait(STORE_MS - 100);
      return store.commit(id, token);
    };
    see("in time", await receiver.deliver("a"), "200 handled");
    let isSlow = true;
    receiver.faults.commit = async (id, token) => {
      if (isSlow) await wait(STORE_MS + 100);
      return store.commit(id, token);
    };
    see("late", await receiver.deliver("b"), "503 store_unavailable");
    isSlow = false;
    await wait(1_000);
    see("then", await receiver.deliver("b"), "200 duplicate");
    see("errors", receiver.errors.splice(1).length, 0);
    receiver.faults.commit = async () => {
      await wait(STORE_MS + 100);
      return false;
    };
    see("late again", await receiver.deliver("l"), "503 store_unavailable");
    await wait(60_000);
    see("both are told", receiver.errors.splice(1).length, 2);
    delete receiver.faults.commit;
    receiver.faults.release = async () => {
      throw new Error("It can't release.");
    };
    receiver.handle = () => {
      throw new Error("It failed.");
    };
    see("one that fails", await receiver.deliver("c"), "500 handler_failed");
    see("errors", receiver.errors.slice(1), ["500 It can't release.", "500 It failed."]);
    receiver.handle = () => undefined;
    see("its claim stays", await receiver.deliver("c"), "503 running");
    await wait(LEASE_MS);
    see("until its lease ends", await receiver.deliver("c"), "200 handled");
    see("the handler", receiver.handled, ["a", "b", "l", "c", "c"]);
  }),
  scripted("deliveries: 1 receiver, a store that is down while a handler is late", async (_, see) => {
    const receiver = new Receiving();
    const down = () => Promise.reject(new Error("It is down."));
    receiver.handle = () => wait(LEASE_MS - 3_000);
    receiver.faults.renew = down;
    receiver.faults.commit = down;
    see("it is late", await receiver.deliver("a"), "503 running");
    await wait(60_000);
    see("its end isn't recorded, which is told once", receiver.errors.length, 2);
    see("how", receiver.errors[1]?.includes("has run, but the store didn't record it (It is down.)"), true);
  }),
  scripted("deliveries: 1 receiver, renewals", async (_, see) => {
    const store = memoryDeliveries();
    const receiver = new Receiving(store, 9_000);
    receiver.handle = () => wait(80_000);
    see("it is late", await receiver.deliver("a"), "503 running");
    const renewals = () => receiver.requests.filter((request) => request.startsWith("renew")).length;
    await wait(31_000);
    see("renewals", renewals(), 8);
    let failures = 0;
    receiver.faults.renew = async (id, token, leaseMs) => {
      failures += 1;
      if (failures < 3) throw new Error("It is down.");
      return store.renew(id, token, leaseMs);
    };
    await wait(9_000);
    see("sooner after a failure", renewals(), 12);
    see("still running", await receiver.deliver("a"), "503 running");
    delete receiver.faults.renew;
    await wait(60_000);
    see("then", await receiver.deliver("a"), "200 duplicate");
    receiver.handle = () => wait(6_000);
    receiver.faults.renew = async (id, token, leaseMs) => {
      await wait(3_000);
      return store.renew(id, token, leaseMs);
    };
    receiver.requests.length = 0;
    see("it ends beside a renewal", await receiver.deliver("e"), "200 handled");
    await wait(60_000);
    see("no renewal follows", [renewals(), receiver.signals.at(-1)?.aborted], [1, false]);
    receiver.handle = async ({ signal }) => {
      await wait(6_000);
      receiver.errors.push(`aborted: ${signal.aborted}`);
    };
    receiver.errors.length = 0;
    receiver.faults.renew = async () => false;
    receiver.faults.commit = async () => false;
    see("a lost claim", await receiver.deliver("b"), "503 running");
    see("its handler knows", receiver.errors[0], "aborted: true");
    receiver.faults.renew = async () => "no" as never;
    see("an odd answer loses none", await receiver.deliver("c"), "503 running");
    see("its handler", receiver.errors[2], "aborted: false");
  }),
  scripted("deliveries: 1 receiver, short handlers", async (_, see) => {
    const store = memoryDeliveries();
    const receiver = new Receiving(store, 100);
    receiver.faults.claim = async (id, leaseMs) => {
      await wait(999);
      return store.claim(id, leaseMs);
    };
    see("a store needs time", await receiver.deliver("a"), "200 handled");
  }),
  scripted("deliveries: a store in memory", async (_, see) => {
    const store = memoryDeliveries({ maxEntries: 2, retentionMs: 10_000 });
    const claimed = async (id: string) => Object(await store.claim(id, 5_000)).token as string;
    const status = async (id: string) => (await store.claim(id, 5_000)).status;
    const token = await claimed("a");
    see("it is taken", await status("a"), "running");
    await wait(5_000);
    see("a lease that ended can be renewed", await store.renew("a", token, 5_000), true);
    see("and is taken", await status("a"), "running");
    await wait(5_000);
    const other = await claimed("a");
    see("by another", [await store.renew("a", token, 5_000), await store.commit("a", token)], [false, false]);
    await store.release("a", token);
    see("no one else releases it", await status("a"), "running");
    see("committed", [await store.commit("a", other), await store.commit("a", other)], [true, true]);
    see("no renewal then", await store.renew("a", other, 5_000), false);
    await store.release("a", other);
    await wait(9_999);
    see("it is kept", await status("a"), "committed");
    await wait(1);
    see("not longer", await status("a"), "claimed");
    const second = await claimed("b");
    see("it is full", await status("c"), "running");
    await store.commit("b", second);
    see("an older record goes", await status("c"), "claimed");
    see("and is forgotten", await status("b"), "running");
    await wait(5_000);
    see(
      "leases that ended go",
      [await status("d"), await status("e"), await status("f")],
      [...["claimed", "claimed", "running"]],
    );
    see("a release of nothing", await store.release("none", "t"), undefined);
    const roomy = memoryDeliveries();
    const first = Object(await roomy.claim("a", 5_000)).token as string;
    await roomy.commit("a", first);
    await roomy.claim("b", 5_000);
    see("one that has room keeps its records", (await roomy.claim("a", 5_000)).status, "committed");
    const released = memoryDeliveries();
    const given = Object(await released.claim("a", 5_000)).token as string;
    await released.release("a", given);
    see("late requests", [await released.renew("a", given, 5_000), await released.commit("a", given)], [false, false]);
    see("it is free", (await released.claim("a", 5_000)).status, "claimed");
    const lapsed = Object(await released.claim("b", 5_000)).token as string;
    await wait(5_001);
    see("a commit after its lease", await released.commit("b", lapsed), true);
    see("it counts", (await released.claim("b", 5_000)).status, "committed");
  }),
];
