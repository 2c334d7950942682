import type { Complaint, Place } from "./complaint.js";
import type { Work } from "./work.js";

/** The fields or items of one value that a schema has spoken of, for `unevaluatedProperties` and `unevaluatedItems`. */
export type Evaluated = Set<PropertyKey> | undefined;

/** One comparison of a value with a schema, as its parts see it. */
export interface Checking {
  readonly work: Work;
  /** What does not fit at one place. */
  at(schema: unknown, value: unknown, place: Place | undefined, evaluated: Evaluated): Complaint[];
  /** Whether a pattern matches; `undefined` where it is refused. */
  matches(source: string, text: string): boolean | undefined;
  /** Whether what was decided is sure: no pattern that had a part in it was refused. */
  surely<Result>(decide: () => Result): { readonly result: Result; readonly isSure: boolean };
}
