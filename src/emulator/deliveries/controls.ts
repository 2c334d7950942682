import { readShape } from "../../contract/check-shape.js";
import { ConfigError } from "../../errors/local.js";
import type { Engine } from "../engine/engine.js";
import { DeliveryFaults, type DeliveryRecord, ResendOptions } from "../engine/event-schema.js";
import type { DeliveryOptions } from "../engine/options-schema.js";
import type { State } from "../engine/state.js";
import { scheduleDelivery } from "./events.js";

/** The options with their defaults. */
export type DeliverySettings = { readonly [Key in keyof DeliveryOptions]-?: NonNullable<DeliveryOptions[Key]> };

/** Adds the defaults to checked options. */
export function deliverySettings({
  // Look it up on each use, because a test may install its interceptor after the emulator.
  fetch = (request) => globalThis.fetch(request),
  delaysMs,
  attempts = delaysMs ? delaysMs.length + 1 : 3,
  timeoutMs = 10_000,
}: DeliveryOptions = {}): DeliverySettings {
  return { fetch, attempts, delaysMs: [...(delaysMs ?? [1_000, 2_000])], timeoutMs };
}

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
   * Injects faults, replacing earlier ones. `copies` and `delayMs` apply to new events, the remaining faults to every
   * attempt.
   *
   * @throws {ConfigError} for a number out of range.
   */
  injectFaults(faults: DeliveryFaults): void {
    const read = readShape(DeliveryFaults, faults, "deliveries.injectFaults");
    const given = Object.entries(read).filter(([, value]) => value !== undefined);
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
    const read = readShape(ResendOptions, options, "deliveries.resend");
    const { body, copies = 1, sign = false, skewSeconds, wrongSecret } = read;
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
      scheduleDelivery(
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
