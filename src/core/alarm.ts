import type { Clock } from "./clock.js";

/** Rings once, at the earliest of the times that it was set to, and can then be set again. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #next: { readonly at: number; readonly stop: AbortController } | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings in so many milliseconds, unless it rings earlier. */
  set(ms: number): void {
    const at = this.#clock.monotonic() + ms;
    if (this.#next && this.#next.at <= at) return;
    this.stop();
    const next = { at, stop: new AbortController() };
    this.#next = next;
    // What stops it ends its sleep as well.
    this.#sleepUntil(next.at, ms, next.stop.signal).then(
      () => {
        if (this.#next !== next) return;
        this.#next = undefined;
        this.#ring();
      },
      () => undefined,
    );
  }

  /** Leaves no timer behind. */
  stop(): void {
    this.#next?.stop.abort();
    this.#next = undefined;
  }

  async #sleepUntil(at: number, ms: number, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, signal);
    // A clock that stands still would ring without end, and no timer of the runtime could ever fire in between.
    if (this.#clock.monotonic() < at) await new Promise((resolve) => setTimeout(resolve));
  }
}
