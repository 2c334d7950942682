import { ConfigError } from "../../errors/local.js";
import { type EmulatorClock, MAX_TIMER_MS } from "../host/clock.js";

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

/** One POST, ready to go. */
export interface DeliveryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of a POST: a status, or the reason why there is none. */
type PostOutcome =
  | { readonly status: number; readonly error: null }
  | { readonly status: null; readonly error: string };

/**
 * Sends a POST and waits for the answer; redirects are not followed. Never rejects.
 *
 * @param cancelled ends it, whatever the fetch does.
 */
export async function post(
  parcel: () => DeliveryRequest,
  { fetch, timeoutMs }: DeliverySettings,
  clock: EmulatorClock,
  cancelled: AbortSignal,
): Promise<PostOutcome> {
  const over = new AbortController();
  const giveUp = () => over.abort(new Error(`There was no answer within ${timeoutMs} ms.`));
  const answered = new AbortController();
  void clock.sleep(timeoutMs, answered.signal).then(giveUp, () => undefined);
  const timer = setTimeout(giveUp, timeoutMs);
  const signal = AbortSignal.any([over.signal, cancelled]);
  try {
    const { url, headers, body } = parcel();
    const request = new Request(url, { method: "POST", headers: { ...headers }, body, redirect: "manual", signal });
    const response = await Promise.race([fetch(request), rejectionBy(signal)]);
    await drain(response, signal);
    // So runtimes show a redirect that they did not follow and do not want to talk about.
    if (response.type === "opaqueredirect") return { status: null, error: "It was redirected, which is not followed." };
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: reasonOf(error) };
  } finally {
    answered.abort();
    clearTimeout(timer);
  }
}

function rejectionBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Reads a body to its end, so that the connection is free again. What it says, or whether it breaks off, changes nothing. */
async function drain({ body }: Response, signal: AbortSignal): Promise<void> {
  await body?.pipeTo(new WritableStream(), { signal }).catch(() => undefined);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  // A host with several addresses fails with an error that has a code and no text.
  const detail = cause.message || ("code" in cause ? String(cause.code) : cause.name);
  return `${message}: ${detail}`;
}
