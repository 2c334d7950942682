import { ConfigError } from "../../errors/local.js";
import { MAX_TIMER_MS } from "../../shared/timers.js";
import type { ClockOptions } from "./options-schema.js";

/** The latest time a Date can represent. */
const LAST_MS = 8.64e15;

/** A duration in milliseconds, or with a unit: `"90s"`, `"10m"`, `"2h"`, `"30d"`. */
export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d"}`;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A clock's part of the emulator's state. */
export interface ClockState {
  /** How far it was advanced, in milliseconds. */
  ms: number;
  /** The latest time that was read, in milliseconds since 1970. Older versions don't save it. */
  now?: number | undefined;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** The emulator's clock. Rate limits, expirations, and timestamps all use it. */
export class EmulatorClock {
  readonly #start: number;
  /** Whether it started at the real time. */
  readonly #isReal: boolean;
  readonly #state: ClockState;
  /** Real time since the clock runs; null while it's stopped. */
  #runningSince: number | null;
  /** How far it's from its start without that and without what was advanced, in milliseconds. */
  #ranMs = 0;
  #sleepers: Sleeper[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners: (() => void)[] = [];

  constructor({ start, running = false }: ClockOptions, state: ClockState) {
    const realTime = Date.now();
    this.#runningSince = running ? realTime : null;
    this.#start = start === undefined ? (running ? realTime : Date.UTC(2026, 0, 1)) : Date.parse(start);
    this.#isReal = running && start === undefined;
    this.#state = state;
    this.now();
  }

  /** Whether the clock runs automatically. */
  get isRunning(): boolean {
    return this.#runningSince !== null;
  }

  /** Current time in milliseconds since 1970. */
  now(): number {
    const runMs = this.#runningSince === null ? 0 : Date.now() - this.#runningSince;
    const now = this.#start + this.#state.ms + this.#ranMs + runMs;
    // A restored state must not contain records of the future.
    this.#state.now = now;
    return now;
  }

  /** Current time, ISO 8601. */
  iso(): string {
    return new Date(this.now()).toISOString();
  }

  /**
   * Advances the clock. Everything scheduled in between becomes due.
   *
   * @throws {ConfigError} for an invalid or negative duration, or one that ends after the latest possible date.
   */
  advance(duration: Duration): void {
    this.#advanceBy(parseDuration(duration));
  }

  /**
   * Advances the clock to a time. Everything scheduled in between becomes due.
   *
   * @param time ISO 8601.
   * @throws {ConfigError} for an invalid time, or one that has passed: the clock never goes back.
   */
  advanceTo(time: string): void {
    const ms = Date.parse(time) - this.now();
    if (Number.isNaN(ms)) throw new ConfigError("clock.advanceTo: expected an ISO 8601 time.");
    if (ms < 0) throw new ConfigError(`clock.advanceTo: ${time} has passed; it's ${this.iso()}.`);
    this.#advanceBy(ms);
  }

  /**
   * Stops the clock. From now on it moves only when you advance it, until you call `resume`; `reset` doesn't resume it.
   */
  pause(): void {
    this.#ranMs = this.now() - this.#start - this.#state.ms;
    this.#runningSince = null;
    this.#changed();
  }

  /** Lets the clock run, from its current time. */
  resume(): void {
    this.#runningSince ??= Date.now();
    this.#changed();
  }

  /** The state for `reset`: at the start, or at the real time for a clock that started at it. @internal */
  atStart(): ClockState {
    return { ms: 0, now: this.#isReal ? Date.now() : this.#start };
  }

  /** The time at which a saved state continues. With a running clock, real time has passed since. @internal */
  timeOf({ ms, now = this.now() - this.#state.ms + ms }: ClockState): number {
    return this.#isReal && this.isRunning ? Math.max(now, Date.now() + ms) : now;
  }

  /** Continues at a time, after the state was replaced. @internal */
  continueAt(time: number): void {
    if (this.isRunning) this.#runningSince = Date.now();
    this.#ranMs = time - this.#start - this.#state.ms;
    this.#wakeDue();
  }

  /** Adds a callback that runs after each `advance`, `pause`, and `resume`, before sleepers wake. @internal */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Resolves when the clock has moved forward by `ms`; rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener("abort", onAbort);
        this.#setTimer();
      };
      const onAbort = () => {
        leave();
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        until: this.now() + ms,
        wake: () => {
          leave();
          resolve();
        },
      };
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#sleepers.push(sleeper);
      this.#wakeDue();
    });
  }

  #advanceBy(ms: number): void {
    if (this.now() + ms > LAST_MS)
      throw new ConfigError("clock.advance: the duration ends after the latest possible date.");
    this.#state.ms += ms;
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
    this.#wakeDue();
  }

  #wakeDue(): void {
    for (const { wake } of this.#sleepers.filter(({ until }) => until <= this.now())) wake();
    this.#setTimer();
  }

  /** A timer can fire early, and can't wait longer than MAX_TIMER_MS, so `#wakeDue` checks again whether it's time. */
  #setTimer(): void {
    clearTimeout(this.#timer);
    if (!this.isRunning || this.#sleepers.length === 0) return;
    const first = this.#sleepers.reduce((least, { until }) => Math.min(least, until), Number.POSITIVE_INFINITY);
    this.#timer = setTimeout(() => this.#wakeDue(), Math.min(Math.max(first - this.now(), 1), MAX_TIMER_MS));
  }
}

function parseDuration(duration: Duration): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration));
  const ms = match ? Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? Number.NaN) : duration;
  if (typeof ms !== "number" || !Number.isFinite(ms) || ms < 0) {
    // Untyped callers may pass anything, also what JSON can't write.
    const shown = typeof duration === "string" ? JSON.stringify(duration) : String(duration);
    throw new ConfigError(`clock.advance: expected milliseconds or a string like "90s" or "30d", not ${shown}.`);
  }
  return ms;
}
