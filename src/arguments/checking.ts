import type { Issue, Place } from "./issue.js";

/** The fields or items of a value that a schema covered, for `unevaluatedProperties` and `unevaluatedItems`. */
export type Evaluated = Set<PropertyKey> | undefined;

/** One comparison of a value with a schema, as its parts see it. */
export interface Checking {
  readonly work: Work;
  /** Validation errors of a place. */
  at(schema: unknown, value: unknown, place: Place | undefined, evaluated: Evaluated): Issue[];
  /** Whether a pattern matches. `undefined` if it is skipped. */
  matches(source: string, text: string): boolean | undefined;
  /** Suggests the field that was probably meant, for the first few names. */
  hint(name: string, siblings: readonly string[]): string;
  /** Decides, and returns whether the decision is certain because it skipped no pattern. */
  decide<Result>(check: () => Result): { readonly result: Result; readonly isSure: boolean };
}

/** A check would take too long. */
export class TooMuchWork extends Error {
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
