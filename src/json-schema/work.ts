/** Steps that the compilation under way may still take. Compilation is synchronous, so there is one at a time. */
let left = Number.POSITIVE_INFINITY;

class TooMuchWork extends Error {}

/** Counts steps. Whatever a schema can multiply calls it. */
export function spend(steps = 1): void {
  left -= steps;
  if (left < 0) throw new TooMuchWork();
}

/**
 * The most steps of one compilation: about 75 times those of the largest tool of public MCP servers, and far less than
 * a second.
 */
const MOST_STEPS = 100_000;

/** Runs a compilation; `undefined` if the schema needs too many steps. */
export function limited<Result>(compile: () => Result): Result | undefined {
  left = MOST_STEPS;
  try {
    return compile();
  } catch (error) {
    if (error instanceof TooMuchWork) return undefined;
    throw error;
  } finally {
    left = Number.POSITIVE_INFINITY;
  }
}
