import { vi } from "vitest";

/**
 * Waits until an assertion holds, and returns its value. The limit says only when a test has failed: on a busy machine, what
 * takes a millisecond can take seconds.
 */
export function eventually<Value>(assertion: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(assertion, { interval: 5, timeout: 50_000 });
}
