// A service that answers when it is told to, and the store of a shared rate limit.
import { observe, Svc } from "../../../src/index.js";
import { type RateLimitStore, sharedRateLimit } from "../../../src/stores/index.js";
import type { Definition, World } from "../world.js";
import { type See, scripted } from "./scripted.js";

/** A store of a shared limit that can be made to fail. */
export class LimitStore implements RateLimitStore {
  value: string | undefined;
  /** Takes the place of both methods while it is set. */
  fault: (() => Promise<never>) | undefined;
  /** How often it was written. */
  writes = 0;
  /** When it was read, in milliseconds since the run started. */
  readonly reads: number[] = [];
  /** It keeps the string until then, and no longer. */
  #keptUntil = Number.POSITIVE_INFINITY;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  read = async () => {
    const { now } = this.#world.time;
    this.reads.push(now);
    if (this.fault) return this.fault();
    if (now > this.#keptUntil) this.value = undefined;
    return { value: this.value, now: now + 1_000_000 };
  };

  compareAndSwap = async (expected: string | undefined, next: string, ttlMs = Number.POSITIVE_INFINITY) => {
    if (this.fault) return this.fault();
    if (this.value !== expected) return false;
    this.value = next;
    this.#keptUntil = this.#world.time.now + ttlMs;
    this.writes += 1;
    return true;
  };
}

/** A service that answers when it is told to, and a client of it. */
export class Answering {
  /** The requests that arrived and weren't answered, the oldest first. */
  readonly open: { readonly label: string; answer(response: Response): void }[] = [];
  /** Everything that arrived, in order. */
  readonly arrived: string[] = [];
  /** How the calls ended: their labels, or the names of their errors. */
  readonly ended: string[] = [];
  readonly outages: string[] = [];
  /** How long calls that wait were told that it may take, in milliseconds. */
  readonly waits: (number | undefined)[] = [];
  readonly svc: Svc;
  readonly #end = new AbortController();

  constructor(store?: RateLimitStore) {
    this.svc = new Svc({
      ...{ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0, timeoutMs: 3_000_000 },
      use: [
        observe((event) => {
          if (event.type === "wait") this.waits.push(event.expectedMs);
        }),
      ],
      fetch: (request) =>
        new Promise((answer, reject) => {
          const label = request.headers.get("x-label") ?? "";
          this.arrived.push(label);
          this.open.push({ label, answer });
          request.signal.addEventListener("abort", () => reject(request.signal.reason), { once: true });
        }),
      ...(store && { sharedRateLimit: sharedRateLimit(store, { onOutage: (problem) => this.outages.push(problem) }) }),
    });
  }

  /** Starts calls that carry a label. */
  call(
    label: string,
    count = 1,
    options: { priority?: "high" | "normal"; deadlineMs?: number; signal?: AbortSignal } = {},
  ): void {
    for (let number = 0; number < count; number += 1) {
      this.svc.toolkits
        .list({}, { headers: { "x-label": label }, deadlineMs: 3_000_000, signal: this.#end.signal, ...options })
        .then(
          () => this.ended.push(label),
          (error: unknown) => this.ended.push(`${label} ${Object(error).name}`),
        );
    }
  }

  /** Answers the oldest request with a label. */
  async answer(label: string, headers: Record<string, string> = {}, status = 200): Promise<void> {
    const index = this.open.findIndex((request) => request.label === label);
    const body = status === 200 ? { items: [], next_cursor: null } : { message: "m" };
    this.open.splice(index, 1)[0]?.answer(Response.json(body, { status, headers }));
    await wait(0);
  }

  /** Ends the calls that are left: as long as they wait, they read the shared limit. */
  end(): void {
    this.#end.abort();
  }

  count(label: string): number {
    return this.open.filter((request) => request.label === label).length;
  }
}

/** Lets time pass, and what is due then happen. */
export async function wait(ms: number): Promise<void> {
  for (const part of [ms, 0, 0]) await new Promise((resolve) => setTimeout(resolve, part));
}

/** Headers of a window, by default one that is too small for a reserve for high priority. */
export const window = (remaining: number, limit = 19, size = "60s") => ({
  "x-ratelimit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-window-size": size,
});

/** A script for a client alone, and for one that shares its limit with no one. */
export function both(name: string, script: (service: Answering, see: See) => Promise<void>): Definition[] {
  return [
    scripted(`rate limit: 1 client, ${name}`, async (_, see) => {
      const service = new Answering();
      await script(service, see);
      service.end();
    }),
    scripted(`rate limit: 1 client that shares it, ${name}`, async (_, see, world) => {
      const service = new Answering(new LimitStore(world));
      await script(service, see);
      see("outages", service.outages, []);
      service.end();
    }),
  ];
}

/** A window that has just turned, with calls from before that aren't answered. */
export async function turned(service: Answering, before: number): Promise<void> {
  service.call("first");
  await wait(0);
  await service.answer("first", window(18));
  service.call("before", before);
  await wait(60_000);
}
