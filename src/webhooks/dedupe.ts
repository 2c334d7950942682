import { ConfigError } from "../errors/local.js";

/** The answer to a claim. */
export type Claim =
  /** It is yours: run the handler, then `commit` or `release` with this token. */
  | { readonly status: "claimed"; readonly token: string }
  /** Somebody is running it right now. */
  | { readonly status: "running" }
  /** It was run to its end before. */
  | { readonly status: "committed" };

/**
 * Remembers which deliveries were run. One store shared by all receivers of a service makes each event run once.
 *
 * A claim is a lease: when its holder dies, it ends by itself and the next delivery of the event gets it.
 */
export interface DedupeStore {
  /**
   * Asks for the right to run a delivery. Atomic: of any number of simultaneous callers one gets it.
   *
   * @param leaseMs How long the claim stands without commit or release, in milliseconds.
   */
  claim(id: string, leaseMs: number): Promise<Claim>;
  /**
   * Marks the delivery as run, for as long as the store remembers. Also when the lease has ended in the meantime, as long as
   * nobody else has claimed it.
   *
   * @returns False when somebody else holds or committed it: the lease was shorter than the run.
   */
  commit(id: string, token: string): Promise<boolean>;
  /** Gives the claim back, so that the next delivery of the event runs it. Nothing happens when it is no longer held. */
  release(id: string, token: string): Promise<void>;
}

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /**
   * How many deliveries are remembered. Beyond it the one committed longest ago is forgotten.
   * @default 100_000
   */
  maxEntries?: number | undefined;
  /**
   * How long a committed delivery is remembered, in milliseconds. Longer than the sender's retries last: see assumption W4.
   * @default 259_200_000 (three days)
   */
  retentionMs?: number | undefined;
  /** The time, in milliseconds. For tests. `Date.now` by default. */
  now?: (() => number) | undefined;
}

/** How long stores remember by default, in milliseconds: three days. */
export const DEFAULT_RETENTION_MS = 3 * 24 * 60 * 60 * 1000;

interface Entry {
  readonly status: "running" | "committed";
  readonly token: string;
  readonly expiresAt: number;
}

/**
 * A store in this process's memory. Right for one process; several need a shared one, `svc-sdk/stores/redis` for example. A
 * restart forgets.
 *
 * When every remembered delivery is still running, further ones are told to come back, so the bound holds.
 *
 * @throws {ConfigError} when a bound is not a whole number above 0.
 */
export function memoryStore(options: MemoryStoreOptions = {}): DedupeStore {
  const { maxEntries = 100_000, retentionMs = DEFAULT_RETENTION_MS, now = Date.now } = options;
  for (const [name, value] of Object.entries({ maxEntries, retentionMs })) {
    if (!Number.isSafeInteger(value) || value <= 0) {
      throw new ConfigError(`memoryStore: ${name} must be a whole number above 0.`);
    }
  }
  // In the order of their last change, so what expires first and was committed first stands near the front.
  const entries = new Map<string, Entry>();
  let claims = 0;

  const live = (id: string): Entry | undefined => {
    const entry = entries.get(id);
    return entry && entry.expiresAt > now() ? entry : undefined;
  };
  const put = (id: string, entry: Entry) => {
    entries.delete(id);
    entries.set(id, entry);
  };

  return {
    async claim(id, leaseMs) {
      const held = live(id);
      if (held) return { status: held.status };
      entries.delete(id);
      if (!makeRoom(entries, maxEntries, now())) return { status: "running" };
      const token = String(++claims);
      put(id, { status: "running", token, expiresAt: now() + leaseMs });
      return { status: "claimed", token };
    },
    async commit(id, token) {
      const held = live(id);
      if (held && held.token !== token) return false;
      put(id, { status: "committed", token, expiresAt: now() + retentionMs });
      return true;
    },
    async release(id, token) {
      const held = entries.get(id);
      if (held?.status === "running" && held.token === token) entries.delete(id);
    },
  };
}

/** Forgets what has expired, and the oldest committed entry when that is not enough. False when there is no room. */
function makeRoom(entries: Map<string, Entry>, maxEntries: number, now: number): boolean {
  for (const [id, { status, expiresAt }] of entries) {
    const isLive = expiresAt > now;
    if (isLive && entries.size < maxEntries) break;
    if (!isLive || status === "committed") entries.delete(id);
  }
  return entries.size < maxEntries;
}
