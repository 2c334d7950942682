import { MAX_TIMER_MS } from "../clock.js";
import type { World } from "../context.js";
import { endOverdue, nextEnd } from "./flow.js";

/**
 * Ends flows and tokens at the time they run out, where the clock runs: nobody has to ask first. With a clock that stands
 * still it does nothing, for time passes there only by `advance`.
 */
export class Alarm {
  readonly #world: World;
  #isOff: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(world: World, isClockRunning: boolean) {
    this.#world = world;
    this.#isOff = !isClockRunning;
  }

  /** Looks anew for what runs out next. To be called after whatever may have changed it. */
  set(): void {
    clearTimeout(this.#timer);
    const end = this.#isOff ? undefined : nextEnd(this.#world.state);
    if (end === undefined) return;
    const wait = Math.min(Math.max(end - this.#world.clock.now(), 1), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.#ring(), wait);
    // In a browser it is a number. Where it is not, a process need not wait for it.
    if (typeof this.#timer === "object") this.#timer.unref();
  }

  /** Rings no more. */
  stop(): void {
    this.#isOff = true;
    clearTimeout(this.#timer);
  }

  #ring(): void {
    endOverdue(this.#world);
    this.set();
  }
}
