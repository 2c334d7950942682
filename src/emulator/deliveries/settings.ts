import { ConfigError } from "../../errors/local.js";
import { MAX_TIMER_MS } from "../clock.js";

/** How deliveries are sent. See assumption E82. */
export interface DeliveryOptions {
  /**
   * Sends each POST. A receiver made by `createReceiver` fits as it is: then nothing leaves the process.
   * @default the runtime's `fetch`
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * How often a delivery is sent at most, the first time included.
   * @default 3, or one more than there are `delaysMs`
   */
  readonly attempts?: number | undefined;
  /**
   * Waits between an attempt's end and the next, in milliseconds of the emulator's clock. The last one counts for all further ones.
   * @default [1_000, 2_000]
   */
  readonly delaysMs?: readonly number[] | undefined;
  /**
   * How long a receiver may take, in milliseconds of the emulator's clock; and of the real one, so that a receiver that never
   * answers cannot hold an emulator whose clock stands still. A clock that is advanced so far ends the attempts under way.
   * @default 10_000
   */
  readonly timeoutMs?: number | undefined;
}

/** The options with their defaults. */
export type DeliverySettings = { readonly [Key in keyof DeliveryOptions]-?: NonNullable<DeliveryOptions[Key]> };

/** @throws {ConfigError} for an option that is none. */
export function deliverySettings({
  // Looked up when it is used: a test's interceptor may come later than its emulator.
  fetch = (request) => globalThis.fetch(request),
  delaysMs,
  attempts = delaysMs ? delaysMs.length + 1 : 3,
  timeoutMs = 10_000,
}: DeliveryOptions = {}): DeliverySettings {
  const delays = delaysMs ?? [1_000, 2_000];
  if (!Number.isSafeInteger(attempts) || attempts < 1) {
    throw new ConfigError("The emulator's deliveries.attempts must be a whole number from 1.");
  }
  if (delays.some((delay) => !isDuration(delay)) || (delays.length === 0 && attempts > 1)) {
    throw new ConfigError(
      "The emulator's deliveries.delaysMs must be numbers from 0, at least one where there is more than one attempt.",
    );
  }
  if (!isDuration(timeoutMs) || timeoutMs === 0) {
    throw new ConfigError("The emulator's deliveries.timeoutMs must be a number above 0 and below 2^31.");
  }
  return { fetch, attempts, delaysMs: [...delays], timeoutMs };
}

/** Whether a number is a length of time that can be waited for. */
export function isDuration(ms: number): boolean {
  return ms >= 0 && ms <= MAX_TIMER_MS;
}
