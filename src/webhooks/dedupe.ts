import { ConfigError } from "../errors/local.js";

/** The response to a claim. */
export type Claim =
  /** It is yours: run the handler, then `commit` or `release` with this token. */
  | { readonly status: "claimed"; readonly token: string }
  /** It is being handled right now. */
  | { readonly status: "running" }
  /** It was handled before. */
  | { readonly status: "committed" };

/**
 * Records which deliveries were handled. Receivers that share one store run each event once.
 *
 * A claim is a lease, which the receiver renews while the handler runs. If its process dies, the lease ends, and the next
 * delivery of the event is claimed anew.
 */
export interface DedupeStore {
  /**
   * Asks for the right to run a delivery. Atomic: of any number of simultaneous callers one gets it.
   *
   * @param leaseMs How long the claim lasts without a renewal, in milliseconds.
   */
  claim(id: string, leaseMs: number): Promise<Claim>;
  /**
   * Makes the claim last for `leaseMs` from now. Also if its lease has ended, as long as no other caller has claimed it.
   *
   * @returns False if the claim is lost: another caller holds or committed it.
   */
  renew(id: string, token: string, leaseMs: number): Promise<boolean>;
  /**
   * Marks the delivery as handled, for as long as the store remembers. Also if its lease has ended, as long as no other
   * caller has claimed it. Safe to repeat: a receiver tries again if it can't tell whether the store did it.
   *
   * @returns False if the claim is lost: another caller holds or committed it.
   */
  commit(id: string, token: string): Promise<boolean>;
  /** Gives the claim back, so that the next delivery of the event runs it. Does nothing if the claim is lost. */
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
  /**
   * The time in milliseconds, of a clock that is never set: leases don't depend on the time of day. For tests.
   * `performance.now` by default.
   */
  now?: (() => number) | undefined;
}

/** Milliseconds of a clock that only runs forward: setting the time of day must not end a lease. */
export const monotonicNow = (): number => performance.now();

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
  const { maxEntries = 100_000, retentionMs = DEFAULT_RETENTION_MS, now = monotonicNow } = options;
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
  const put = (id: string, status: Entry["status"], token: string, lastsMs: number) => {
    entries.delete(id);
    entries.set(id, { status, token, expiresAt: now() + lastsMs });
  };

  return {
    async claim(id, leaseMs) {
      const held = live(id);
      if (held) return { status: held.status };
      entries.delete(id);
      if (!makeRoom(entries, maxEntries, now())) return { status: "running" };
      const token = String(++claims);
      put(id, "running", token, leaseMs);
      return { status: "claimed", token };
    },
    async renew(id, token, leaseMs) {
      const held = live(id);
      if (held && (held.token !== token || held.status === "committed")) return false;
      put(id, "running", token, leaseMs);
      return true;
    },
    async commit(id, token) {
      const held = live(id);
      if (held && held.token !== token) return false;
      put(id, "committed", token, retentionMs);
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
