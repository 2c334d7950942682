/** A map that forgets its oldest entries. */
export class Remembered<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): Value {
    // Deleted first, so that it is the newest again.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest = key] = this.#entries.keys();
    if (this.#entries.size > this.#most) this.#entries.delete(oldest);
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
