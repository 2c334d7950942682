// Deliveries beside rotated secrets, the limits of times, handlers by slug, lost claims and stores that fail.
import { signedDelivery } from "../../../src/testing/index.js";
import {
  createReceiver,
  type DedupeStore,
  type HandlerContext,
  memoryDeliveries,
  type ReceiverOptions,
} from "../../../src/webhooks/index.js";
import type { Definition } from "../world.js";
import { scripted } from "./scripted.js";
import { wait } from "./service.js";

const secretOf = (name: string) => `whsec_a secret for the search, ${name} 0123456789`;
const [OLD, NEW] = [secretOf("old"), secretOf("new")];
const down = () => Promise.reject(new Error("It is down."));

/** A receiver, the requests of its store, its errors, and its handler, which can be replaced. */
function receiving(more: Partial<ReceiverOptions> = {}, store: DedupeStore = memoryDeliveries()) {
  const handled: string[] = [];
  const errors: string[] = [];
  const requests: string[] = [];
  const faults: Partial<DedupeStore> = {};
  const now = { handle: (_context: HandlerContext): unknown => undefined };
  const method = <Name extends keyof DedupeStore>(name: Name) =>
    ((...args: Parameters<DedupeStore[Name]>) => {
      requests.push(name);
      return (faults[name] ?? store[name])(...(args as [never, never, never]));
    }) as DedupeStore[Name];
  const receive = createReceiver({
    ...{ secrets: [OLD], handlerTimeoutMs: 10_000, on: {} },
    store: { claim: method("claim"), renew: method("renew"), commit: method("commit"), release: method("release") },
    onUnhandled: (_event, context) => {
      handled.push(context.delivery.id);
      return now.handle(context);
    },
    onError: (error, { status, delivery }) => {
      errors.push(`${status} ${delivery?.id ?? "-"} ${Object(error).reason ?? Object(error).message}`);
    },
    ...more,
  });
  const deliver = async (id: string, options: object = {}, change = (request: Request) => request) => {
    const { request } = signedDelivery({ secret: OLD, id, timestamp: new Date(Date.now()), ...options });
    const response = await receive(change(request));
    const { result, error } = await response.json();
    return [response.status, result ?? error.reason, response.headers.get("retry-after") ?? ""].join(" ").trim();
  };
  return { handled, errors, requests, faults, now, deliver };
}

const without = (name: string) => (request: Request) => {
  const headers = new Headers(request.headers);
  headers.delete(name);
  return new Request(request, { headers });
};
const having = (name: string, value: string) => (request: Request) => {
  const headers = new Headers(request.headers);
  headers.set(name, value);
  return new Request(request, { headers });
};

export const togetherDeliveries: readonly Definition[] = [
  scripted("deliveries: 1 receiver, deliveries that aren't authentic beside one that is", async (_, see) => {
    const { deliver, handled, errors, requests } = receiving();
    const cases: readonly (readonly [Parameters<typeof deliver>[1], Parameters<typeof deliver>[2], string])[] = [
      [{ secret: NEW }, undefined, "401 no_match"],
      [{}, having("webhook-id", "b"), "401 no_match"],
      [{}, having("webhook-id", "a.b"), "400 ambiguous_id"],
      [{}, having("webhook-id", "a, a"), "400 duplicate_header"],
      [{}, having("webhook-timestamp", "0"), "400 bad_timestamp"],
      [{}, having("webhook-signature", "v2,AAAA"), "401 no_match"],
      [{}, having("content-type", "text/plain"), "415 unsupported_media_type"],
      [{}, without("webhook-id"), "400 missing_header"],
      [{}, without("webhook-signature"), "400 missing_header"],
      [{}, (request) => new Request(request.url, { headers: request.headers }), "405 method_not_allowed"],
      [{}, (request) => new Request(request, { body: '{"id":"a"}' }), "401 no_match"],
    ];
    for (const [options, change, promised] of cases) see(promised, await deliver("a", options, change), promised);
    see("they claim nothing", [requests, handled], [[], []]);
    see(
      "and are told",
      errors.map((error) => error.split(" ").slice(1).join(" ")),
      cases.map(([, , end]) => `- ${end.slice(4)}`),
    );
    see("the authentic one", [await deliver("a"), await deliver("a")], ["200 handled", "200 duplicate"]);
    see("once", handled, ["a"]);
  }),
  scripted("deliveries: 1 receiver, the oldest and the newest times of a delivery", async (_, see) => {
    const { deliver, handled } = receiving({ toleranceSeconds: 300 });
    const at = (seconds: number) => ({ timestamp: Math.floor(Date.now() / 1_000) + seconds });
    await wait(500);
    const cases: readonly (readonly [number, string])[] = [
      [-300, "200 handled"],
      [-301, "401 too_old"],
      [300, "200 handled"],
      [301, "401 too_new"],
    ];
    for (const [seconds, promised] of cases) see(`${seconds}`, await deliver(`at ${seconds}`, at(seconds)), promised);
    see("one that has run, sent again later", await deliver("at 300", at(0)), "200 duplicate");
    see("handled", handled, ["at -300", "at 300"]);
  }),
  scripted("deliveries: 1 receiver, secrets that rotate while deliveries arrive", async (_, see) => {
    let secrets = [OLD];
    let asked = 0;
    const read = async () => {
      asked += 1;
      await wait(100);
      return secrets;
    };
    const { deliver, handled } = receiving({ secrets: read });
    see("at the same time", await Promise.all([deliver("a"), deliver("b"), deliver("a")]), [
      ...["200 handled", "200 handled", "503 running 1"],
    ]);
    see("asked once", asked, 1);
    secrets = [NEW, OLD];
    see("a newer secret, too soon", await deliver("c", { secret: NEW }), "401 no_match");
    await wait(1_000);
    see("the known one needs no answer", [await deliver("d"), asked], ["200 handled", 1]);
    see("a newer one does", [await deliver("c", { secret: NEW }), asked], ["200 handled", 2]);
    secrets = [NEW];
    await wait(1_100);
    see("a forgery asks again", [await deliver("e", { secret: secretOf("forged") }), asked], ["401 no_match", 3]);
    see("the old one is gone", await deliver("f"), "401 no_match");
    see("handled", handled, ["a", "b", "d", "c"]);
  }),
  scripted("deliveries: 1 receiver, secrets that can't be read", async (_, see) => {
    let fault: (() => Promise<string[]>) | undefined = down;
    const { deliver, handled, errors } = receiving({ secrets: () => (fault ? fault() : [OLD]), bodyTimeoutMs: 5_000 });
    see("it is down", (await deliver("a")).slice(0, 3), "500");
    await wait(1_000);
    fault = async () => [];
    see("none", (await deliver("a")).slice(0, 3), "500");
    await wait(1_000);
    fault = () => new Promise(() => undefined);
    const startedAt = performance.now();
    see("it is slow", [(await deliver("a")).slice(0, 3), performance.now() - startedAt], ["500", 5_000]);
    fault = undefined;
    await wait(1_000);
    see("then", [await deliver("a"), handled, errors.length], ["200 handled", ["a"], 3]);
  }),
  scripted("deliveries: 1 receiver, handlers by slug and by type beside the others", async (_, see) => {
    const seen: unknown[] = [];
    const on = {
      GITHUB_COMMIT_EVENT: (
        event: { triggerSlug?: unknown; payload?: unknown; userId?: unknown },
        { claim, signal, delivery }: HandlerContext,
      ) => {
        seen.push(["slug", event.triggerSlug, event.payload, delivery.id, typeof claim, signal.aborted]);
      },
      "svc.trigger.message": (event: { id: string }) => {
        seen.push(["type", event.id]);
      },
    };
    const { deliver, handled } = receiving({ on } as never);
    for (const version of ["V3", "V2", "V1"] as const) {
      const trigger = { trigger: "GITHUB_COMMIT_EVENT", payload: { message: version }, version };
      see(version, await deliver(version, trigger), "200 handled");
      see("its handler", seen.splice(0), [
        ["slug", "GITHUB_COMMIT_EVENT", { message: version }, version, "string", false],
      ]);
    }
    see("of another trigger", await deliver("m", { trigger: "SLACK_MESSAGE", payload: {} }), "200 handled");
    see("its type's", seen.splice(0), [["type", "m"]]);
    see("of another type", await deliver("x", { type: "svc.connected_account.expired" }), "200 handled");
    see(
      "an unknown type",
      await deliver("u", { event: { id: "u", type: "svc.new", timestamp: "t", metadata: {}, data: {} } }),
      "200 handled",
    );
    const odd = { id: "y", type: "svc.trigger.message", timestamp: 5 };
    see("a known type in another shape", await deliver("y", { event: odd }), "200 handled");
    see("all others", [seen, handled], [[], ["x", "u", "y"]]);
    see("again", await deliver("V1", { trigger: "SLACK_MESSAGE", payload: {} }), "200 duplicate");
  }),
  scripted("deliveries: 1 receiver, an onError that fails, and a handler that throws nothing", async (_, see) => {
    let told = 0;
    const { deliver, now, handled } = receiving({
      onError: () => {
        told += 1;
        throw new Error("It can't be told.");
      },
    });
    now.handle = () => Promise.reject();
    see("a rejection without a reason", await deliver("a"), "500 handler_failed");
    now.handle = () => {
      throw undefined;
    };
    see("in the call", await deliver("a"), "500 handler_failed");
    now.handle = () => undefined;
    see("then", [await deliver("a"), told, handled], ["200 handled", 2, ["a", "a", "a"]]);
    see("not authentic", [await deliver("b", { secret: NEW }), told], ["401 no_match", 3]);
  }),
  scripted("deliveries: 2 receivers, a late handler that lost its claim", async (_, see) => {
    const store = memoryDeliveries();
    const one = receiving({}, store);
    const other = receiving({}, store);
    const aborted: boolean[] = [];
    one.now.handle = async ({ signal }) => {
      await wait(45_000);
      aborted.push(signal.aborted);
    };
    one.faults.renew = down;
    see("it is late", await one.deliver("a"), "503 running 1");
    await wait(9_000);
    see("its lease lasts", await other.deliver("a"), "503 running 1");
    await wait(1_000);
    see("it has ended", await other.deliver("a"), "200 handled");
    await wait(30_000);
    see("it knows, and commits nothing", [aborted, one.errors.length], [[true], 2]);
    see("why", one.errors[1]?.includes("was lost before its handler ended"), true);
    see("it was handled", [await one.deliver("a"), one.handled, other.handled], ["200 duplicate", ["a"], ["a"]]);
  }),
  scripted("deliveries: 1 receiver, the shortest lease, and one of twice the handler's time", async (_, see) => {
    for (const [handlerTimeoutMs, leaseMs] of [
      [1, 4_000],
      [2_000, 4_000],
      [2_001, 4_002],
    ] as const) {
      const leases: number[] = [];
      const store = memoryDeliveries();
      const { deliver, faults, now, requests } = receiving({ handlerTimeoutMs }, store);
      faults.claim = (id, ms) => {
        leases.push(ms);
        return store.claim(id, ms);
      };
      now.handle = () => wait(leaseMs + 1);
      see(`${handlerTimeoutMs}: late`, await deliver("a"), "503 running 1");
      await wait(2 * leaseMs);
      const renewals = requests.filter((request) => request === "renew").length;
      see(`${handlerTimeoutMs}: its lease`, [leases, renewals], [[leaseMs], 4]);
      see(`${handlerTimeoutMs}: then`, await deliver("a"), "200 duplicate");
    }
  }),
  scripted("deliveries: 1 receiver, a handler that fails while its store is slow", async (_, see) => {
    const store = memoryDeliveries();
    const { deliver, faults, now, errors, requests } = receiving({}, store);
    now.handle = () => {
      throw new Error("It failed.");
    };
    faults.release = async (id, token) => {
      await wait(6_000);
      return store.release(id, token);
    };
    const startedAt = performance.now();
    see("it fails", [await deliver("a"), performance.now() - startedAt], ["500 handler_failed", 5_000]);
    see(
      "both are told",
      errors.map((error) => error.split(" ").slice(0, 2).join(" ")),
      ["500 a", "500 a"],
    );
    delete faults.release;
    now.handle = () => undefined;
    see("its claim is held", await deliver("a"), "503 running 1");
    await wait(1_000);
    see("until the store has released it", await deliver("a"), "200 handled");
    see("what it did", requests, ["claim", "release", "claim", "claim", "commit"]);
  }),
  scripted("deliveries: 1 receiver, how long a delivery is known", async (_, see) => {
    const store = memoryDeliveries({ retentionMs: 60_000 });
    const { deliver, handled, now } = receiving({}, store);
    now.handle = () => wait(5_000);
    see("handled", await deliver("a"), "200 handled");
    await wait(59_999);
    see("its last moment", await deliver("a"), "200 duplicate");
    await wait(1);
    see("forgotten", [await deliver("a"), handled], ["200 handled", ["a", "a"]]);
    const full = memoryDeliveries({ maxEntries: 1 });
    const small = receiving({}, full);
    small.now.handle = () => wait(1_000);
    see("no room beside one that runs", await Promise.all([small.deliver("b"), small.deliver("c")]), [
      ...["200 handled", "503 running 1"],
    ]);
    see("then there is", [await small.deliver("c"), await small.deliver("b")], ["200 handled", "200 handled"]);
  }),
  scripted("deliveries: 1 receiver, commits without a reply, and then without a claim", async (_, see) => {
    const causes: unknown[] = [];
    const told: string[] = [];
    const onError: ReceiverOptions["onError"] = (error, { status }) => {
      const { message, cause } = Object(error);
      told.push(`${status} ${message.includes("retries until the claim ends") ? "retries" : "ends"}`);
      causes.push(Object(cause).message?.split(":").at(-1).trim());
    };
    const { deliver, faults, now } = receiving({ onError });
    let commits = 0;
    faults.commit = () => {
      commits += 1;
      return commits === 1 ? new Promise(() => undefined) : Promise.resolve(false);
    };
    const startedAt = performance.now();
    see("no reply", [await deliver("a"), performance.now() - startedAt], ["503 store_unavailable 1", 5_000]);
    await wait(1_000);
    see("it may have been recorded", [commits, told.splice(0)], [2, ["503 retries", "503 ends"]]);
    const late = "The store didn't respond within 5000 ms. Check its connection.";
    see("why", causes.splice(0), [late, late]);
    now.handle = () => wait(6_000);
    faults.renew = down;
    faults.commit = async () => false;
    see("a lost claim", [await deliver("b"), told, causes], ["503 running 1", ["503 ends"], ["It is down."]]);
  }),
  scripted("deliveries: 1 receiver, commits that fail after a slow claim, and after a renewal", async (_, see) => {
    const store = memoryDeliveries();
    const { deliver, faults, now } = receiving({}, store);
    let startedAt = performance.now();
    const times: number[] = [];
    faults.claim = async (id, leaseMs) => {
      await wait(4_000);
      return store.claim(id, leaseMs);
    };
    faults.commit = () => {
      times.push(performance.now() - startedAt);
      return down();
    };
    see("it fails", await deliver("a"), "503 store_unavailable 1");
    await wait(30_000);
    see("the lease counts from the request", times.splice(0), [
      ...[4_000, 4_100, 4_300, 4_700, 5_500, 7_100, 10_300, 15_300],
    ]);
    delete faults.claim;
    faults.renew = async (id, token, leaseMs) => {
      await wait(2_000);
      return store.renew(id, token, leaseMs);
    };
    now.handle = () => wait(8_000);
    startedAt = performance.now();
    see("it fails, too", await deliver("b"), "503 store_unavailable 1");
    await wait(30_000);
    see("and from the renewal's", times, [8_000, 8_100, 8_300, 8_700, 9_500, 11_100, 14_300, 19_300, 24_300]);
  }),
  scripted("deliveries: 1 receiver, a renewal that fails after the commit", async (_, see) => {
    const { deliver, faults, now, requests } = receiving();
    now.handle = () => wait(6_000);
    faults.renew = async () => {
      await wait(3_000);
      return down();
    };
    see("it is handled", await deliver("a"), "200 handled");
    await wait(60_000);
    see("none follows", requests, ["claim", "renew", "commit"]);
  }),
  scripted("deliveries: a store in memory that is full of committed ones", async (_, see) => {
    const store = memoryDeliveries({ maxEntries: 2 });
    const [first, second] = [await store.claim("a", 5_000), await store.claim("b", 5_000)];
    for (const [id, claim] of [
      ["b", second],
      ["a", first],
    ] as const) {
      see(id, await store.commit(id, Object(claim).token), true);
    }
    see("there is room", (await store.claim("c", 5_000)).status, "claimed");
    see("the one that was committed last is kept", (await store.claim("a", 5_000)).status, "committed");
    see("the other one isn't", (await store.claim("b", 5_000)).status, "claimed");
  }),
  scripted("deliveries: 1 receiver, what its responses and its log say without onError", async (_, see) => {
    const logged: string[] = [];
    const { warn, error } = console;
    console.warn = (text: string) => logged.push(`warn ${text.split(" ")[3]}`);
    console.error = (text: string) => logged.push(`error ${text.split(" ").slice(2).join(" ")}`);
    try {
      const { deliver, now } = receiving({ onError: undefined });
      for (let number = 0; number < 2; number += 1) {
        await deliver("a", { secret: NEW });
        await deliver("b", {}, without("webhook-id"));
      }
      now.handle = () => down();
      await deliver("c");
      await deliver("c");
    } finally {
      Object.assign(console, { warn, error });
    }
    const failed = "error c: responded 500";
    see("each reason once, and each failure", logged, ["warn 401:", "warn 400:", failed, failed]);
    const receive = createReceiver({ secrets: [OLD], on: {}, onUnhandled: () => {}, onError: () => {} });
    const { status, headers } = await receive(new Request("https://receiver.test"));
    see("what it takes", [status, headers.get("allow"), headers.get("retry-after")], [405, "POST", null]);
  }),
];
