import { ConfigError } from "../errors/local.js";
import { monotonicNow, within } from "../shared/timers.js";

/** The shortest time between two calls of the program's function, in milliseconds: anyone can send forgeries. */
const ASK_AFTER_MS = 1_000;

/** Keys from the program's function, which is called at most once per second. */
export class AskedKeys<Keys> {
  /** The function's newest answer. */
  keys: Keys | undefined;
  readonly #read: () => Promise<Keys>;
  readonly #timeoutMs: number;
  #answer: Promise<Keys> | undefined;
  #nextAt = 0;

  /** @param timeoutMs how long the function may take, in milliseconds. */
  constructor(read: () => Promise<Keys>, timeoutMs: number) {
    this.#read = read;
    this.#timeoutMs = timeoutMs;
  }

  /** The function's answer: the one it is working on, the one of the last second, or a new one. */
  newest(): Promise<Keys> {
    if (this.#answer && monotonicNow() < this.#nextAt) return this.#answer;
    this.#nextAt = Number.POSITIVE_INFINITY;
    this.#answer = this.#load();
    return this.#answer;
  }

  async #load(): Promise<Keys> {
    const ms = this.#timeoutMs;
    const late = () =>
      new ConfigError(`secrets() took longer than bodyTimeoutMs (${ms} ms). Check the connection to the secrets.`);
    try {
      this.keys = await within(ms, this.#read(), late);
      return this.keys;
    } finally {
      this.#nextAt = monotonicNow() + ASK_AFTER_MS;
    }
  }
}
