/** The service's schema asks for more than a check may take. */
class TooMuchWork extends Error {
  constructor() {
    super("Its schema takes too long to check these arguments.");
  }
}

/** What one check may cost: some 0.2 s. A schema and a value can multiply what they ask for. */
const MOST = 4_000_000;

/** Counts the steps of one check, and ends it when there were too many. The same check takes the same steps on every machine. */
export class Work {
  #left = MOST;

  /** @throws {TooMuchWork} when nothing is left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooMuchWork();
  }
}
