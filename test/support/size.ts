import { expect, inject, type TestContext, test } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** Of `npm test`, `npm run test:long` or `npm run test:full`. */
    size: "usual" | "long" | "full";
  }
}

/**
 * How much a slow suite does: in `npm test`, what still finds its faults; in `npm run test:long`, which CI runs, what takes
 * it a minute; in `npm run test:full`, before a release, all of it. The two last runs take the test files that import this
 * module themselves.
 */
export function sized<Value>(usual: Value, long: Value, full: Value = long): Value {
  return { usual, long, full }[inject("size")];
}

/** The rows of a table that a suite tries: each n-th in `npm test`, and all in the long runs. */
export function sampled<Row>(rows: readonly Row[], nth: number): Row[] {
  return rows.filter((_, index) => index % sized(nth, 1) === 0);
}

const isLong = () => sized(false, true);

/** A test that is only in the long runs, in a file whose other tests aren't. */
export function longTest(name: string, run: (context: TestContext) => unknown, timeoutMs?: number): void {
  if (isLong()) test(name, timeoutMs === undefined ? {} : { timeout: timeoutMs }, run);
}

/** Measures what follows. Only the long runs check the bound: in `npm test`, the machine may be busy with anything. */
export function stopwatch(now: () => number = () => performance.now()): { expectBelow(ms: number): void } {
  const startedAt = now();
  return {
    expectBelow: (ms) => {
      if (isLong()) expect(now() - startedAt).toBeLessThan(ms);
    },
  };
}
