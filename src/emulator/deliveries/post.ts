import { ConfigError } from "../../errors/local.js";
import { MAX_TIMER_MS, rejectionBy } from "../../shared/timers.js";
import type { EmulatorClock } from "../host/clock.js";
import type { DeliveryAttempt, DeliveryPost, ReceiverResponse } from "../host/event-records.js";
import { KEPT_CHARACTERS, maskHeader } from "../host/mask-and-record.js";

/** Webhook delivery settings. See assumption E82. */
export interface DeliveryOptions {
  /**
   * Sends each POST. Pass a receiver from `createReceiver` to deliver in process.
   * @default the runtime's `fetch`
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * Maximum number of attempts per delivery.
   * @default 3, or the number of `delaysMs` plus 1
   */
  readonly attempts?: number | undefined;
  /**
   * Delays before each retry, in milliseconds of the emulator's clock. The last one repeats.
   * @default [1_000, 2_000]
   */
  readonly delaysMs?: readonly number[] | undefined;
  /**
   * Timeout per attempt in milliseconds, by the emulator's clock and by real time, so that a receiver that never
   * responds can't block an emulator whose clock is stopped. Advancing the clock that far ends attempts in flight.
   * @default 10_000
   */
  readonly timeoutMs?: number | undefined;
}

/** The options with their defaults. */
export type DeliverySettings = { readonly [Key in keyof DeliveryOptions]-?: NonNullable<DeliveryOptions[Key]> };

/** @throws {ConfigError} for an invalid option. */
export function deliverySettings({
  // Look it up on each use, because a test may install its interceptor after the emulator.
  fetch = (request) => globalThis.fetch(request),
  delaysMs,
  attempts = delaysMs ? delaysMs.length + 1 : 3,
  timeoutMs = 10_000,
}: DeliveryOptions = {}): DeliverySettings {
  const delays = delaysMs ?? [1_000, 2_000];
  if (!Number.isSafeInteger(attempts) || attempts < 1) {
    throw new ConfigError("The emulator's deliveries.attempts must be a positive integer.");
  }
  if (delays.some((delay) => !isDuration(delay)) || (delays.length === 0 && attempts > 1)) {
    throw new ConfigError(
      "The emulator's deliveries.delaysMs must be numbers of at least 0 and below 2^31, and not empty if attempts is above 1.",
    );
  }
  if (!isDuration(timeoutMs) || timeoutMs === 0) {
    throw new ConfigError("The emulator's deliveries.timeoutMs must be a number above 0 and below 2^31.");
  }
  return { fetch, attempts, delaysMs: [...delays], timeoutMs };
}

/** Whether a timer can wait for a number of milliseconds. */
export function isDuration(ms: number): boolean {
  return ms >= 0 && ms <= MAX_TIMER_MS;
}

/** Result of a POST: what was sent, and the response or why no response came. */
type PostOutcome = Pick<DeliveryAttempt, "status" | "error" | "request" | "response">;

/**
 * Sends a POST and waits for the response, without following redirects. Never rejects.
 *
 * @param cancelled ends it, even if `fetch` ignores its signal.
 */
export async function post(
  buildRequest: () => DeliveryPost,
  body: string,
  { fetch, timeoutMs }: DeliverySettings,
  clock: EmulatorClock,
  cancelled: AbortSignal,
): Promise<PostOutcome> {
  const over = new AbortController();
  const giveUp = () => over.abort(new Error(`No response within ${timeoutMs} ms.`));
  const responded = new AbortController();
  void clock.sleep(timeoutMs, responded.signal).then(giveUp, () => undefined);
  const timer = setTimeout(giveUp, timeoutMs);
  const signal = AbortSignal.any([over.signal, cancelled]);
  let sent: DeliveryPost | null = null;
  try {
    sent = buildRequest();
    const { url, headers } = sent;
    const request = new Request(url, { method: "POST", headers: { ...headers }, body, redirect: "manual", signal });
    const response = await Promise.race([fetch(request), rejectionBy(signal)]);
    const received = await read(response, signal);
    // This is how runtimes show a redirect they didn't follow.
    if (response.type === "opaqueredirect")
      return { ...NO_RESPONSE, error: "The receiver sent a redirect, which isn't followed.", request: sent };
    return { status: response.status, error: null, request: sent, response: received };
  } catch (error) {
    return { ...NO_RESPONSE, error: reasonOf(error), request: sent };
  } finally {
    responded.abort();
    clearTimeout(timer);
  }
}

const NO_RESPONSE = { status: null, response: null } as const;

/** Reads the whole body, to free the connection, and keeps its start. An error while reading doesn't matter. */
async function read({ body, headers }: Response, signal: AbortSignal): Promise<ReceiverResponse> {
  const decoder = new TextDecoder();
  let text = "";
  const sink = new WritableStream<Uint8Array>({
    write: (chunk) => {
      if (text.length < KEPT_CHARACTERS) text += decoder.decode(chunk, { stream: true });
    },
  });
  await body?.pipeTo(sink, { signal }).catch(() => undefined);
  const shown = Object.fromEntries([...headers].map(([name, value]) => [name, maskHeader(name, value)]));
  return { headers: shown, body: text.slice(0, KEPT_CHARACTERS) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  // A host with several IPs fails with an error that has a code and no message.
  const detail = cause.message || ("code" in cause ? String(cause.code) : cause.name);
  return `${message}: ${detail}`;
}
