import { ConfigError } from "../../errors/local.js";
import { isDuration } from "./settings.js";
import { type DeliveryRecord, HONEST, type Misbehaviour } from "./stored.js";

/** What deliveries can do wrong. What is left out is done right. */
export interface MisbehaviourOptions {
  /**
   * How often each delivery comes. Each copy has the same id and body, and attempts of its own.
   * @default 1
   */
  readonly copies?: number | undefined;
  /**
   * What is due at the same time goes out newest first, one after another. With `delayMs`, events are gathered for that long:
   * later ones go out with the first.
   * @default false
   */
  readonly reorder?: boolean | undefined;
  /**
   * How much later than its event a delivery goes out, in milliseconds of the emulator's clock.
   * @default 0
   */
  readonly delayMs?: number | undefined;
  /**
   * How far the sender's clock is ahead, in seconds; below 0 it is behind.
   * @default 0
   */
  readonly skewSeconds?: number | undefined;
  /**
   * Signs with a secret that is not the subscription's.
   * @default false
   */
  readonly wrongSecret?: boolean | undefined;
}

/** The deliveries of an emulator, and the switches that make them misbehave. */
export class Deliveries {
  readonly #state: { readonly items: readonly DeliveryRecord[]; misbehaviour: Misbehaviour };

  constructor(state: { readonly items: readonly DeliveryRecord[]; misbehaviour: Misbehaviour }) {
    this.#state = state;
  }

  /** The deliveries, oldest first; at most 1000 that are over. Live: attempts and states follow what happens. */
  get items(): readonly DeliveryRecord[] {
    return this.#state.items;
  }

  /**
   * Sets all the switches. `copies` and `delayMs` hold for events that come; the others for every attempt.
   *
   * @throws {ConfigError} for a number that cannot be.
   */
  misbehave({
    copies = 1,
    reorder = false,
    delayMs = 0,
    skewSeconds = 0,
    wrongSecret = false,
  }: MisbehaviourOptions): void {
    if (!Number.isInteger(copies) || copies < 1 || copies > 100) {
      throw new ConfigError("deliveries.misbehave: copies must be a whole number from 1 to 100.");
    }
    if (!isDuration(delayMs)) throw new ConfigError("deliveries.misbehave: delayMs must be from 0, and below 2^31.");
    if (!Number.isInteger(skewSeconds) || Math.abs(skewSeconds) > 1e9) {
      throw new ConfigError("deliveries.misbehave: skewSeconds must be a whole number from -1e9 to 1e9.");
    }
    this.#state.misbehaviour = { copies, reorder, delayMs, skewSeconds, wrongSecret };
  }

  /** Turns all the switches off. What waits keeps its copies and its time. */
  behave(): void {
    this.#state.misbehaviour = { ...HONEST };
  }
}
