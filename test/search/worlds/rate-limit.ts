// Nothing is sent before the end of a wait that a 429 asked for, from any process that shares the limit.
import { Svc } from "../../../src/index.js";
import { type RateLimitStore, sharedRateLimit } from "../../../src/stores/index.js";
import type { Definition, Faults, World } from "../world.js";

const WAIT_SECONDS = 10;
/** When a client makes another call: in the middle of a wait. */
const LATER_MS = 1_000;

/** A service that allows one request per period. */
class Service {
  #count = 0;
  #endsAt = 0;

  answer(now: number): Response {
    if (now >= this.#endsAt) {
      this.#count = 0;
      this.#endsAt = now + WAIT_SECONDS * 1_000;
    }
    this.#count += 1;
    const wait = Math.ceil((this.#endsAt - now) / 1_000);
    if (this.#count > 1) {
      return Response.json({ message: "Too many requests" }, { status: 429, headers: { "retry-after": String(wait) } });
    }
    return Response.json({ items: [] });
  }
}

/** The store of the shared limit, and what it knows of the last 429. */
class Shared {
  readonly store: RateLimitStore;
  /** Counts reads and writes. */
  moment = 0;
  #value: string | undefined;

  constructor(world: World) {
    this.store = {
      read: async () => ({ value: this.#value, now: world.time.now }),
      compareAndSwap: async (expected, next) => {
        if (this.#value !== expected) return false;
        this.#value = next;
        return true;
      },
    };
  }
}

/** Each process makes so many calls at the same time, and one more later if it shares nothing. */
export function rateLimit(name: string, calls: readonly number[], faults: Faults, isShared = true): Definition {
  return {
    name,
    faults,
    start(world) {
      const service = new Service();
      const shared = new Shared(world);
      /** The latest wait that the store knows of, and when it was written. */
      let known = { until: 0, at: 0 };
      calls.forEach((count, index) => {
        world.spawn(`P${index + 1}`, async (process) => {
          /** Until when a 429 asked this process to wait. */
          let waitsUntil = 0;
          let lastRead = 0;
          /** The wait that it knew of when its exchange with the store began, and when it wrote. */
          let reported = 0;
          let written = 0;
          let isOvertaken = false;
          const store: RateLimitStore = {
            read: async () => {
              shared.moment += 1;
              lastRead = shared.moment;
              return shared.store.read();
            },
            compareAndSwap: async (...args) => {
              shared.moment += 1;
              const isWritten = await shared.store.compareAndSwap(...args);
              if (isWritten && written > known.until) known = { until: written, at: shared.moment };
              return isWritten;
            },
          };
          const send = (request: Request) => {
            const { now } = world.time;
            if (now < waitsUntil) tooEarly(now, waitsUntil);
            // Without the store, a client knows only what it was told itself.
            if (svc.rateLimit.isShared && lastRead > known.at && now < known.until) tooEarly(now, known.until);
            return process
              .request(`GET ${new URL(request.url).pathname}`, "service", async () => service.answer(world.time.now))
              .then((response) => {
                const seconds = Number(response.headers.get("retry-after"));
                // The client never sees the response to a request that it has given up.
                if (response.status === 429 && !request.signal.aborted)
                  waitsUntil = Math.max(waitsUntil, world.time.now + seconds * 1_000);
                return response;
              });
          };
          const tooEarly = (now: number, until: number) =>
            world.violate(`${process.name} sent a request at ${now} ms. A 429 asked to wait until ${until} ms.`);
          const remote = process.through("limit", store, () => "limit");
          const observed: RateLimitStore = {
            read: () => {
              // After another's write, the same exchange reads again.
              if (!isOvertaken) reported = waitsUntil;
              isOvertaken = false;
              return remote.read();
            },
            compareAndSwap: async (...args) => {
              written = reported;
              const isWritten = await remote.compareAndSwap(...args);
              isOvertaken = !isWritten;
              return isWritten;
            },
          };
          const limit = sharedRateLimit(observed, { onOutage: () => {} });
          const svc = new Svc({
            baseUrl: "https://service.test",
            apiKey: "key",
            env: {},
            fetch: send,
            maxRetries: 5,
            ...(isShared ? { sharedRateLimit: limit } : {}),
          });
          const later = async () => {
            await new Promise((resolve) => setTimeout(resolve, LATER_MS));
            return svc.toolkits.list();
          };
          const calls = Array.from({ length: count }, () => svc.toolkits.list());
          const outcomes = await Promise.allSettled(isShared ? calls : [...calls, later()]);
          process.saw(outcomes.map(({ status }) => status).join());
        });
      });
    },
  };
}
