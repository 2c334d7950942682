/** A check would take too long. */
class TooMuchWork extends Error {
  constructor() {
    super("Checking these arguments takes too long.");
  }
}

/** Maximum steps of a check, about 0.2 s. A schema and a value can multiply the work. */
const MOST = 4_000_000;

/** Counts the steps of a check, and ends it after too many. The same check takes the same steps on every machine. */
export class Work {
  #left = MOST;

  /** @throws {TooMuchWork} if no steps are left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooMuchWork();
  }
}
