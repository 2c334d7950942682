import { SvcError } from "../errors/base.js";
import { isString } from "../shared/json.js";
import { monotonicNow, sleep, within } from "../shared/timers.js";
import type { ClaimResult, DedupeStore } from "./dedupe-store.js";

/** The shortest lease, in milliseconds: a store needs network time even if handlers have little. */
const MIN_LEASE_MS = 4_000;

/** The delay before the first retry of a commit, in milliseconds. It doubles each time. */
const FIRST_WAIT_MS = 100;

/** Claims deliveries in a store, for one receiver. */
export class Claims {
  readonly store: DedupeStore;
  /** How long a claim lasts without a renewal, in milliseconds. */
  readonly leaseMs: number;
  /**
   * How long the store may take for each response, in milliseconds: a quarter of the lease, so that a renewal without a
   * response leaves time for others.
   */
  readonly storeTimeoutMs: number;

  /** @param handlerTimeoutMs how long a handler may take, in milliseconds. */
  constructor(store: DedupeStore, handlerTimeoutMs: number) {
    this.store = store;
    this.leaseMs = Math.max(2 * handlerTimeoutMs, MIN_LEASE_MS);
    this.storeTimeoutMs = this.leaseMs / 4;
  }

  /**
   * Claims a delivery and renews the claim until it is committed or released.
   *
   * @param onLost called once, if another receiver gets the claim in the meantime.
   * @throws the store's error, or an `SvcError` if it doesn't respond in time.
   */
  async take(id: string, onLost: (error: SvcError) => void): Promise<RenewedClaim | "running" | "committed"> {
    const endsAt = monotonicNow() + this.leaseMs;
    const claiming = Promise.resolve(this.store.claim(id, this.leaseMs));
    try {
      const { status, token }: { status: unknown; token?: unknown } = Object(await this.inTime(claiming));
      if (status === "claimed" && isString(token)) return new RenewedClaim(this, id, token, endsAt, onLost);
      if (status === "running" || status === "committed") return status;
      throw oddReply("claim");
    } catch (error) {
      // A claim that comes late runs no handler. Release it, or the next delivery waits until the lease ends.
      const releaseLate = async (claim: ClaimResult) =>
        claim?.status === "claimed" && (await this.store.release(id, claim.token));
      claiming.then(releaseLate).catch(() => undefined);
      throw error;
    }
  }

  /** Waits for the store. Redis clients queue commands until they reconnect, even for hours. */
  inTime<Value>(reply: Promise<Value>): Promise<Value> {
    const ms = this.storeTimeoutMs;
    const late = () => new SvcError(`createReceiver: The store didn't respond within ${ms} ms. Check its connection.`);
    return within(ms, reply, late);
  }
}

/**
 * How a commit ended. `uncertain`: an attempt failed, and the next one found no claim. The first one may have committed
 * it.
 */
export type CommitEnd = "committed" | "lost" | "uncertain";

/** A claim that is renewed until it ends. */
export class RenewedClaim {
  readonly token: string;
  /** The store's last error, if any. */
  problem: unknown;
  readonly #claims: Claims;
  readonly #id: string;
  readonly #onLost: (error: SvcError) => void;
  #endsAt: number;
  #isEnding = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(claims: Claims, id: string, token: string, endsAt: number, onLost: (error: SvcError) => void) {
    this.#claims = claims;
    this.#id = id;
    this.token = token;
    this.#endsAt = endsAt;
    this.#onLost = onLost;
    this.#renewAfter(claims.storeTimeoutMs);
  }

  /** Marks the delivery as handled. Retries while the lease lasts. @throws the store's last error. */
  async commit(): Promise<CommitEnd> {
    this.#stopRenewing();
    const { store, storeTimeoutMs } = this.#claims;
    let hasFailed = false;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, storeTimeoutMs)) {
      try {
        if (isOurs("commit", await this.#claims.inTime(store.commit(this.#id, this.token)))) return "committed";
        return hasFailed ? "uncertain" : "lost";
      } catch (error) {
        hasFailed = true;
        this.problem = error;
        if (monotonicNow() + waitMs >= this.#endsAt) throw error;
      }
      await sleep(waitMs);
    }
  }

  /** Releases the claim. @throws the store's error: the claim then ends with its lease. */
  async release(): Promise<void> {
    this.#stopRenewing();
    await this.#claims.inTime(this.#claims.store.release(this.#id, this.token));
  }

  #renewAfter(waitMs: number): void {
    if (this.#isEnding) return;
    this.#timer = setTimeout(() => void this.#renew(), waitMs);
    // A handler that never ends must not keep the process alive. Only Node's timers have a method for that, which the
    // standard types don't have.
    const { unref } = Object(this.#timer) as { unref?: unknown };
    if (typeof unref === "function") unref.call(this.#timer);
  }

  async #renew(): Promise<void> {
    const { store, leaseMs, storeTimeoutMs } = this.#claims;
    const startedAt = monotonicNow();
    try {
      if (isOurs("renew", await this.#claims.inTime(store.renew(this.#id, this.token, leaseMs)))) {
        this.#endsAt = startedAt + leaseMs;
        this.#renewAfter(storeTimeoutMs);
      } else if (!this.#isEnding) {
        this.#onLost(
          new SvcError(
            `createReceiver: The claim of delivery ${this.#id} was lost while its handler runs. Another receiver may run the handler too.`,
          ),
        );
      }
    } catch (error) {
      this.problem = error;
      this.#renewAfter(storeTimeoutMs / 4);
    }
  }

  #stopRenewing(): void {
    this.#isEnding = true;
    clearTimeout(this.#timer);
  }
}

/** The reply to a renewal or a commit. Anything but a boolean is a failure of the store: it may not have acted. */
function isOurs(method: string, reply: unknown): boolean {
  if (typeof reply !== "boolean") throw oddReply(method);
  return reply;
}

const oddReply = (method: string) =>
  new SvcError(`createReceiver: The store's ${method}() returned something that DedupeStore doesn't allow.`);
