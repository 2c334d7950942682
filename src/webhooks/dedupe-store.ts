import * as option from "../errors/option-rules.js";
import { DAY_MS, monotonicNow } from "../shared/timers.js";

/** The response to a claim. */
export type ClaimResult =
  /** The caller has the claim: run the handler, then `commit` or `release` with this token. */
  | { readonly status: "claimed"; readonly token: string }
  /** It's being handled right now. */
  | { readonly status: "running" }
  /** It was handled before. */
  | { readonly status: "committed" };

/**
 * Records which deliveries were handled. Receivers that share one store run each event once.
 *
 * A claim is a lease, which the receiver renews while the handler runs. If the process dies, the lease ends, and the
 * next delivery of the event can be claimed.
 */
export interface DedupeStore {
  /**
   * Claims a delivery. Atomic: if several callers claim it at the same time, exactly one gets it.
   *
   * @param leaseMs how long the claim lasts without a renewal, in milliseconds.
   */
  claim(id: string, leaseMs: number): Promise<ClaimResult>;
  /**
   * Extends the claim to `leaseMs` from now, even if its lease has ended, as long as no other caller has claimed it.
   *
   * @returns False if the claim has ended: it was released, or another caller has claimed or committed the delivery.
   */
  renew(id: string, token: string, leaseMs: number): Promise<boolean>;
  /**
   * Marks the delivery as handled, for as long as the store keeps records, even if its lease has ended, as long as no
   * other caller has claimed it. Safe to retry: a receiver retries if it can't tell whether the store committed.
   *
   * @returns False if the claim has ended: it was released, or another caller has claimed or committed the delivery.
   */
  commit(id: string, token: string): Promise<boolean>;
  /**
   * Releases the claim, so that the next delivery of the event is handled. Does nothing if the claim is lost.
   *
   * On slow connections, a renewal or a commit of this claim may arrive after the release. Until the claim's lease
   * would have ended, such a request must return false and change nothing.
   */
  release(id: string, token: string): Promise<void>;
}

/** The option of every store of deliveries. */
export interface RetentionOptions {
  // See assumption W4.
  /**
   * How long a committed delivery is recorded, in milliseconds. Longer than the sender retries.
   * @default 259_200_000 (three days)
   */
  retentionMs?: number | undefined;
}

/** Options of {@link memoryDeliveries}. */
export interface MemoryDeliveriesOptions extends RetentionOptions {
  /**
   * Maximum number of recorded deliveries. Above it, the delivery committed longest ago is removed.
   * @default 100_000
   */
  maxEntries?: number | undefined;
  /**
   * Returns milliseconds of a monotonic clock, so leases don't depend on the time of day. For tests.
   * @default performance.now
   */
  now?: (() => number) | undefined;
}

/** How long stores record deliveries by default, in milliseconds: three days. */
const DEFAULT_RETENTION_MS = 3 * DAY_MS;

interface DeliveryEntry {
  readonly status: "running" | "committed" | "released";
  readonly token: string;
  readonly expiresAt: number;
}

/** The rule of the option `retentionMs`. */
export const RETENTION = { ...option.COUNT, default: DEFAULT_RETENTION_MS } as const;

const MEMORY_DELIVERIES_OPTIONS = {
  maxEntries: { ...option.COUNT, default: 100_000 },
  retentionMs: RETENTION,
  now: { ...option.FUNCTION, default: monotonicNow },
} as const satisfies option.Rules<MemoryDeliveriesOptions>;

/**
 * Creates a store in this process's memory. For several processes, use a shared store from `svc-sdk/stores`. A restart
 * clears it.
 *
 * If all `maxEntries` recorded deliveries are still running, new claims return `running`, so the limit isn't exceeded.
 *
 * @throws {ConfigError} if an option is unknown or invalid.
 */
export function memoryDeliveries(options: MemoryDeliveriesOptions = {}): DedupeStore {
  const { maxEntries, retentionMs, now } = option.checkAll("memoryDeliveries", options, MEMORY_DELIVERIES_OPTIONS);
  // In the order of their last change, so entries that expire or were committed first are near the front.
  const entries = new Map<string, DeliveryEntry>();
  let claims = 0;

  const live = (id: string): DeliveryEntry | undefined => {
    const entry = entries.get(id);
    return entry && entry.expiresAt > now() ? entry : undefined;
  };
  const put = (id: string, status: DeliveryEntry["status"], token: string, ttlMs: number) => {
    entries.delete(id);
    entries.set(id, { status, token, expiresAt: now() + ttlMs });
  };

  return {
    async claim(id, leaseMs) {
      const held = live(id);
      if (held && held.status !== "released") return { status: held.status };
      entries.delete(id);
      if (!makeRoom(entries, maxEntries, now())) return { status: "running" };
      const token = String(++claims);
      put(id, "running", token, leaseMs);
      return { status: "claimed", token };
    },
    async renew(id, token, leaseMs) {
      const held = live(id);
      if (held && (held.token !== token || held.status !== "running")) return false;
      put(id, "running", token, leaseMs);
      return true;
    },
    async commit(id, token) {
      const held = live(id);
      if (held && (held.token !== token || held.status === "released")) return false;
      put(id, "committed", token, retentionMs);
      return true;
    },
    async release(id, token) {
      const held = entries.get(id);
      if (held?.status === "running" && held.token === token) entries.set(id, { ...held, status: "released" });
    },
  };
}

/** Removes expired entries, and the oldest ended one if that isn't enough. Returns false if there is no room. */
function makeRoom(entries: Map<string, DeliveryEntry>, maxEntries: number, now: number): boolean {
  for (const [id, { status, expiresAt }] of entries) {
    const isLive = expiresAt > now;
    if (isLive && entries.size < maxEntries) break;
    if (!isLive || status !== "running") entries.delete(id);
  }
  return entries.size < maxEntries;
}
