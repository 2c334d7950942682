import type { Complaint, Place } from "./complaint.js";
import type { Work } from "./work.js";

/** The fields or items of a value that a schema covered, for `unevaluatedProperties` and `unevaluatedItems`. */
export type Evaluated = Set<PropertyKey> | undefined;

/** One comparison of a value with a schema, as its parts see it. */
export interface Checking {
  readonly work: Work;
  /** Validation errors of a place. */
  at(schema: unknown, value: unknown, place: Place | undefined, evaluated: Evaluated): Complaint[];
  /** Whether a pattern matches. `undefined` if it is skipped. */
  matches(source: string, text: string): boolean | undefined;
  /** Decides, and returns whether the decision is certain because it skipped no pattern. */
  surely<Result>(decide: () => Result): { readonly result: Result; readonly isSure: boolean };
}
