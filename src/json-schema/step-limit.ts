/** A check or a compilation would take too long. */
export class TooMuchWork extends Error {
  constructor() {
    super("The check takes too long.");
  }
}

/** The steps left to the work under way. It is synchronous, so there is one at a time. */
let left = Number.POSITIVE_INFINITY;

/** Counts steps of the work under way. Whatever a schema or a value can multiply calls it. */
export function spend(steps = 1): void {
  left -= steps;
  if (left < 0) throw new TooMuchWork();
}

/**
 * Runs work of a limited number of steps. The same work takes the same steps on every machine.
 *
 * @throws {TooMuchWork} if it takes more.
 */
export function atMost<Result>(most: number, run: () => Result): Result {
  const outer = left;
  left = most;
  try {
    return run();
  } finally {
    left = outer;
  }
}

/** Runs work of a limited number of steps; `undefined` if it takes more. */
export function limited<Result>(most: number, run: () => Result): Result | undefined {
  try {
    return atMost(most, run);
  } catch (error) {
    if (error instanceof TooMuchWork) return undefined;
    throw error;
  }
}
