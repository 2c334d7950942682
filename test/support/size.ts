import { inject } from "vitest";

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
