import { expect, inject, type TestContext, test } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** Whether this is `npm run test:long`. */
    isLong: boolean;
  }
}

/**
 * How much a slow suite does: in `npm test`, what still finds its faults; in `npm run test:long`, all of it.
 * The long run takes the test files that import this module themselves.
 */
export function sized<Value>(usual: Value, long: Value): Value {
  return inject("isLong") ? long : usual;
}

/** A test that is only in the long run, in a file whose other tests aren't. */
export function longTest(name: string, run: (context: TestContext) => unknown, timeoutMs?: number): void {
  if (inject("isLong")) test(name, timeoutMs === undefined ? {} : { timeout: timeoutMs }, run);
}

/** Measures what follows. Only the long run checks the bound: in `npm test`, the machine may be busy with anything. */
export function stopwatch(now: () => number = () => performance.now()): { expectBelow(ms: number): void } {
  const startedAt = now();
  return {
    expectBelow: (ms) => {
      if (inject("isLong")) expect(now() - startedAt).toBeLessThan(ms);
    },
  };
}
