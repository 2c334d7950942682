// Nothing is sent before the end of a wait that a 429 asked for, from any process that shares the limit. Together, they
// send no more than the service has left.
import { Svc } from "../../../src/index.js";
import { type RateLimitStore, sharedRateLimit } from "../../../src/stores/index.js";
import type { Definition, Faults, Process, World } from "../world.js";

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
        world.spawnTwin(`P${index + 1}`, String(count), async (process) => {
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

const LIMIT = 2;
const WINDOW_SECONDS = 60;

/** A service that tells how many requests are left. */
class CountingService {
  #used = 0;
  #endsAt = 0;

  answer(world: World, process: Process): Response {
    const { now } = world.time;
    if (now >= this.#endsAt) {
      this.#used = 0;
      this.#endsAt = now + WINDOW_SECONDS * 1_000;
    }
    if (this.#used === LIMIT) world.violate(`${process.name} sent request ${LIMIT + 1} of ${LIMIT} at ${now} ms.`);
    this.#used += 1;
    const headers = {
      "x-ratelimit": String(LIMIT),
      "x-ratelimit-remaining": String(LIMIT - this.#used),
      "x-ratelimit-window-size": `${WINDOW_SECONDS}s`,
    };
    return Response.json({ items: [] }, { headers });
  }
}

/** One call tells what is left. Then each process makes so many calls at the same time. */
export function countedLimit(name: string, calls: readonly number[], faults: Faults): Definition {
  return {
    name,
    faults,
    start(world) {
      const service = new CountingService();
      const { store } = new Shared(world);
      let tell = () => {};
      const told = new Promise<void>((resolve) => {
        tell = resolve;
      });
      calls.forEach((count, index) => {
        world.spawn(`P${index + 1}`, async (process) => {
          const svc = new Svc({
            baseUrl: "https://service.test",
            apiKey: "key",
            env: {},
            fetch: () => process.request("GET toolkits", "service", async () => service.answer(world, process)),
            sharedRateLimit: sharedRateLimit(
              process.through("limit", store, () => "limit"),
              { onOutage: () => {} },
            ),
          });
          if (index === 0) {
            await svc.toolkits.list();
            // The report of the first call reaches the store after its response.
            await new Promise((resolve) => setTimeout(resolve, LATER_MS));
            tell();
          }
          await told;
          await Promise.all(Array.from({ length: count }, () => svc.toolkits.list()));
        });
      });
    },
  };
}
