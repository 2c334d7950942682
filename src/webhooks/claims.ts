import { SvcError } from "../errors/base.js";
import { isString } from "../shared/json.js";
import { monotonicNow, within } from "../shared/timers.js";
import type { ClaimResult, DedupeStore } from "./dedupe.js";

/** Claims and renews deliveries for one receiver. */
export interface Claims {
  /** How long the store may take for each response, in milliseconds. */
  readonly storeTimeoutMs: number;
  /**
   * Claims a delivery and renews the claim until it is committed or released.
   *
   * @param onLost called once, if another receiver gets the claim in the meantime.
   * @throws the store's error, or an `SvcError` if it doesn't respond in time.
   */
  take(id: string, onLost: (error: SvcError) => void): Promise<HeldClaim | "running" | "committed">;
}

/** A claim that is renewed until it ends. */
export interface HeldClaim {
  readonly token: string;
  /** The store's last error, if any. */
  problem?: unknown;
  /**
   * Marks the delivery as handled. Retries while the lease lasts.
   *
   * @returns False if the claim is lost.
   * @throws the store's last error.
   */
  commit(): Promise<boolean>;
  /** Releases the claim. @throws the store's error: the claim then ends with its lease. */
  release(): Promise<void>;
}

/** The shortest lease, in milliseconds: a store needs network time even if handlers have little. */
const MIN_LEASE_MS = 4_000;

/** The delay before the first retry of a commit, in milliseconds. It doubles each time. */
const FIRST_WAIT_MS = 100;

/**
 * Keeps claims in a store.
 *
 * @param handlerTimeoutMs how long a handler may take, in milliseconds.
 */
export function createClaims(store: DedupeStore, handlerTimeoutMs: number): Claims {
  const leaseMs = Math.max(2 * handlerTimeoutMs, MIN_LEASE_MS);
  // Renew after a quarter of the lease, so that a renewal without a response leaves time for others.
  const storeTimeoutMs = leaseMs / 4;
  // Redis clients queue commands until they reconnect, even for hours.
  const inTime = <Value>(call: Promise<Value>) =>
    within(
      storeTimeoutMs,
      call,
      () => new SvcError(`createReceiver: The store didn't respond within ${storeTimeoutMs} ms. Check its connection.`),
    );

  return {
    storeTimeoutMs,
    async take(id, onLost) {
      const startedAt = monotonicNow();
      const claiming = Promise.resolve(store.claim(id, leaseMs));
      try {
        const { status, token }: { status: unknown; token?: unknown } = Object(await inTime(claiming));
        if (status === "claimed" && isString(token)) return hold(id, token, startedAt + leaseMs, onLost);
        if (status === "running" || status === "committed") return status;
        throw oddReply("claim");
      } catch (error) {
        // A claim that comes late runs no handler. Release it, or the next delivery waits until the lease ends.
        const releaseLate = async (claim: ClaimResult) =>
          claim?.status === "claimed" && (await store.release(id, claim.token));
        claiming.then(releaseLate).catch(() => undefined);
        throw error;
      }
    },
  };

  function hold(id: string, token: string, firstEnd: number, onLost: (error: SvcError) => void): HeldClaim {
    let endsAt = firstEnd;
    let isEnding = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let renewing: Promise<void> | undefined;

    const renewAfter = (waitMs: number) => {
      if (isEnding) return;
      timer = setTimeout(() => {
        renewing = renew();
      }, waitMs);
      // A handler that never ends must not keep the process alive. Only Node's timers have a method for that, which the
      // standard types don't have.
      const { unref } = Object(timer) as { unref?: unknown };
      if (typeof unref === "function") unref.call(timer);
    };
    const renew = async () => {
      const startedAt = monotonicNow();
      try {
        if (isOurs("renew", await inTime(store.renew(id, token, leaseMs)))) {
          endsAt = startedAt + leaseMs;
          renewAfter(storeTimeoutMs);
        } else if (!isEnding) {
          onLost(
            new SvcError(
              `createReceiver: The claim of delivery ${id} was lost while its handler runs. Another receiver may run the handler too.`,
            ),
          );
        }
      } catch (error) {
        claim.problem = error;
        renewAfter(storeTimeoutMs / 4);
      }
    };
    const stopRenewing = () => {
      isEnding = true;
      clearTimeout(timer);
    };
    const claim: HeldClaim = {
      token,
      async commit() {
        stopRenewing();
        for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, storeTimeoutMs)) {
          try {
            return isOurs("commit", await inTime(store.commit(id, token)));
          } catch (error) {
            claim.problem = error;
            if (monotonicNow() + waitMs >= endsAt) throw error;
          }
          await new Promise((resolve) => setTimeout(resolve, waitMs));
        }
      },
      async release() {
        stopRenewing();
        // A renewal that reached the store after the release would claim the delivery again.
        await renewing;
        await inTime(store.release(id, token));
      },
    };
    renewAfter(storeTimeoutMs);
    return claim;
  }
}

/** The reply to a renewal or a commit. Anything but a boolean is a failure of the store: it may not have acted. */
function isOurs(method: string, reply: unknown): boolean {
  if (typeof reply !== "boolean") throw oddReply(method);
  return reply;
}

const oddReply = (method: string) =>
  new SvcError(`createReceiver: The store's ${method}() returned something that DedupeStore doesn't allow.`);
