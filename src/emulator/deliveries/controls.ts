import { ConfigError } from "../../errors/local.js";
import { isRecord } from "../../shared/json.js";
import { unknownNames } from "../../shared/nearest-name.js";
import { MAX_TIMER_MS } from "../../shared/timers.js";
import type { Engine } from "../engine/engine.js";
import { DeliveryFaults, type DeliveryRecord, ResendOptions } from "../engine/event-schema.js";
import type { State } from "../engine/state.js";
import { schedule } from "./events.js";

// Assumption E82.
/** Webhook delivery settings. */
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
  if (typeof fetch !== "function") throw new ConfigError("The emulator's deliveries.fetch must be a function.");
  const delays = delaysMs ?? [1_000, 2_000];
  if (!Array.isArray(delays)) throw new ConfigError("The emulator's deliveries.delaysMs must be an array.");
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
const isDuration = (ms: number) => ms >= 0 && ms <= MAX_TIMER_MS;

/** No injected faults. */
export const NO_DELIVERY_FAULTS: State["deliveries"]["faults"] = {
  copies: 1,
  reorder: false,
  delayMs: 0,
  skewSeconds: 0,
  wrongSecret: false,
};

/** The emulator's webhook deliveries, and faults to inject into them. */
export class Deliveries {
  readonly #engine: Engine;

  /** @internal */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Deliveries, oldest first; at most 1000 finished ones. Live: attempts and states update as deliveries run. */
  get items(): readonly DeliveryRecord[] {
    return this.#engine.state.deliveries.items;
  }

  /**
   * Injects faults, replacing earlier ones. `copies` and `delayMs` apply to new events, the others to every attempt.
   *
   * @throws {ConfigError} for a number out of range.
   */
  injectFaults(faults: DeliveryFaults): void {
    check("injectFaults", faults, Object.keys(DeliveryFaults.shape));
    const given = Object.entries(faults).filter(([, value]) => value !== undefined);
    this.#setFaults({ ...NO_DELIVERY_FAULTS, ...Object.fromEntries(given) });
  }

  /** Stops injecting faults. Pending deliveries keep their copies and delays. */
  clearFaults(): void {
    this.#setFaults({ ...NO_DELIVERY_FAULTS });
  }

  /** The injected faults. */
  get faults(): Required<DeliveryFaults> {
    return this.#engine.state.deliveries.faults;
  }

  /**
   * Sends a delivery again, once and without retries, and returns the new deliveries. Without options, it sends the
   * bytes of the last attempt: same URL, headers, signature, and body. Receivers reject a signature older than their
   * tolerance; pass `sign: true` for a new one.
   *
   * @throws {ConfigError} for an unknown delivery, one whose subscription no longer exists if it has to be signed, or a
   * number out of range.
   */
  resend(deliveryId: string, options: ResendOptions = {}): readonly DeliveryRecord[] {
    check("resend", options, Object.keys(ResendOptions.shape));
    const { body, copies = 1, sign = false, skewSeconds, wrongSecret } = options;
    const { state, ids, clock, deliver } = this.#engine;
    const original = state.deliveries.items.find(({ id }) => id === deliveryId);
    if (!original) throw new ConfigError(`deliveries.resend: unknown delivery ${deliveryId}.`);
    const changes = sign || [body, skewSeconds, wrongSecret].some((option) => option !== undefined);
    const exactly = changes ? null : (original.attempts.at(-1)?.request ?? null);
    if (exactly === null && !state.webhookSubscriptions.has(original.subscriptionId)) {
      throw new ConfigError(
        `deliveries.resend: subscription ${original.subscriptionId} no longer exists, so its secret can't sign.`,
      );
    }
    const { eventId, subscriptionId, type, version } = original;
    const resend = { of: deliveryId, exactly, skewSeconds: skewSeconds ?? 0, wrongSecret: wrongSecret ?? false };
    const sent = Array.from({ length: copies }, () =>
      schedule(
        {
          ...{ id: ids.next("wd_"), eventId, subscriptionId, type, version, resend },
          ...{ body: body ?? original.body, dueAt: clock.now() },
        },
        this.#engine,
      ),
    );
    deliver();
    return sent;
  }

  #setFaults(faults: State["deliveries"]["faults"]): void {
    this.#engine.state.deliveries.faults = faults;
    this.#engine.feed.publish({ type: "faults" });
  }
}

function check(verb: string, options: DeliveryFaults & ResendOptions, known: readonly string[]): void {
  if (!isRecord(options)) throw new ConfigError(`deliveries.${verb}: expected an object.`);
  const { copies = 1, delayMs = 0, skewSeconds = 0 } = options;
  const problems = unknownNames(options, known);
  if (!Number.isInteger(copies) || copies < 1 || copies > 100)
    problems.push("copies must be an integer from 1 to 100.");
  if (!isDuration(delayMs)) problems.push("delayMs must be at least 0 and below 2^31.");
  if (!Number.isInteger(skewSeconds) || Math.abs(skewSeconds) > 1e9) {
    problems.push("skewSeconds must be an integer from -1e9 to 1e9.");
  }
  if (problems.length > 0) throw new ConfigError(`deliveries.${verb}: ${problems.join(" ")}`);
}
