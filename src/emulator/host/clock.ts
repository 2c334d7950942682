import { ConfigError } from "../../errors/local.js";

/** The last time that can be written as a date. */
const LAST_MS = 8.64e15;

/** The longest wait a timer can hold; a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** A length of time: milliseconds, or a number with a unit: `"90s"`, `"10m"`, `"2h"`, `"30d"`. */
export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d"}`;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Options of the emulator's clock. */
export interface ClockOptions {
  /**
   * Where it starts, ISO 8601.
   * @default "2026-01-01T00:00:00.000Z" for a clock that stands still, the real time for one that runs
   */
  readonly start?: string | undefined;
  /** Whether it runs by itself. One that stands still moves only by `advance`, and makes two runs the same to the byte. */
  readonly running?: boolean | undefined;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** The emulator's time. Windows, expiries and timestamps all follow it. */
export class EmulatorClock {
  readonly #isRunning: boolean;
  readonly #start: number;
  readonly #startedAt = Date.now();
  readonly #offset: { ms: number };
  #sleepers: Sleeper[] = [];
  readonly #listeners: (() => void)[] = [];

  /** `offset` is where the advanced time is kept: in the emulator's state, so that reset and restore cover it. */
  constructor({ start, running = false }: ClockOptions, offset: { ms: number }) {
    this.#isRunning = running;
    this.#start = start === undefined ? (running ? this.#startedAt : Date.UTC(2026, 0, 1)) : Date.parse(start);
    if (Number.isNaN(this.#start)) throw new ConfigError("The emulator's clock needs an ISO 8601 start.");
    this.#offset = offset;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#start + this.#offset.ms + (this.#isRunning ? Date.now() - this.#startedAt : 0);
  }

  /** The time as the service writes it. */
  iso(): string {
    return new Date(this.now()).toISOString();
  }

  /**
   * Moves time forward. Everything that was due in between is due now.
   *
   * @throws {ConfigError} for a length that is not one, is negative or leads beyond the last date.
   */
  advance(duration: Duration): void {
    const ms = parseDuration(duration);
    if (this.now() + ms > LAST_MS) throw new ConfigError("clock.advance went beyond the last date there is.");
    this.#offset.ms += ms;
    for (const listener of this.#listeners) listener();
    this.#wakeDue();
  }

  /** Calls back after each `advance`, before those wake that wait for a time. @internal */
  onAdvance(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Resolves when the clock has moved that far, by itself or by `advance`; rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const leave = () => {
        clearTimeout(timer);
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener("abort", onAbort);
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
      // A timer may fire a little early, and holds no long wait: it looks again until the time has come.
      const look = () => {
        timer = setTimeout(look, Math.min(Math.max(sleeper.until - this.now(), 1), MAX_TIMER_MS));
        this.#wakeDue();
      };
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#sleepers.push(sleeper);
      if (this.#isRunning) look();
      else this.#wakeDue();
    });
  }

  #wakeDue(): void {
    for (const { wake } of this.#sleepers.filter(({ until }) => until <= this.now())) wake();
  }
}

function parseDuration(duration: Duration): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration));
  const ms = match ? Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? Number.NaN) : duration;
  if (typeof ms !== "number" || !Number.isFinite(ms) || ms < 0) {
    throw new ConfigError(
      `clock.advance takes milliseconds or a text like "90s" or "30d", not ${JSON.stringify(duration)}.`,
    );
  }
  return ms;
}
