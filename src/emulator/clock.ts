import { ConfigError } from "../errors/local.js";

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
   * @throws {ConfigError} for a length that is not one, or that is negative.
   */
  advance(duration: Duration): void {
    this.#offset.ms += parseDuration(duration);
    const due = this.#sleepers.filter(({ until }) => until <= this.now());
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.now());
    for (const { wake } of due) wake();
  }

  /** Resolves when the clock has moved that far, by itself or by `advance`. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#sleepers.push({ until: this.now() + ms, wake: resolve });
      if (this.#isRunning) setTimeout(() => this.advance(0), ms);
    });
  }
}

function parseDuration(duration: Duration): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration));
  const ms = match ? Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? Number.NaN) : Number(duration);
  if (!Number.isFinite(ms) || ms < 0) {
    throw new ConfigError(
      `clock.advance takes milliseconds or a text like "90s" or "30d", not ${JSON.stringify(duration)}.`,
    );
  }
  return ms;
}
