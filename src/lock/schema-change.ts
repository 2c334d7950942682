/** Which way a schema looks: at what callers send, or at what readers get. */
export type Direction = "input" | "output";

/**
 * What happened at one place of a schema.
 *
 * `added`, `removed`: a property. `loosened`: it accepts more. `narrowed`: it accepts less. `replaced`: it accepts something
 * else. `noted`: it accepts what it did, but its default or its deprecation changed.
 */
export type ChangeKind = "added" | "removed" | "loosened" | "narrowed" | "replaced" | "noted";

/** One change of a schema, as `svc lock --diff` tells it. */
export interface SchemaChange {
  /** Where: `labels[].name`; `*` is any property that is not named, `<…>` one of several alternatives. Empty for the whole. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** What changed, in words. */
  readonly text: string;
  /** Whether a program that worked with the schema before may not work with the one after. */
  readonly breaks: boolean;
}

/** A change without its judgement. */
export interface RawChange extends Omit<SchemaChange, "breaks"> {
  /** The directions it breaks, where that does not follow from its kind. */
  readonly breaksOnly?: readonly Direction[];
}

/**
 * Callers break when less is accepted or what they send has gone; readers break when more may come or what they read has
 * gone. Somebody who must give something new is a caller; nobody has to read what was added.
 */
const BREAKS: Readonly<Record<ChangeKind, readonly Direction[]>> = {
  added: [],
  removed: ["input", "output"],
  loosened: ["output"],
  narrowed: ["input"],
  replaced: ["input", "output"],
  noted: [],
};

/** Says whether a change breaks somebody. */
export function judged({ path, kind, text, breaksOnly = BREAKS[kind] }: RawChange, direction: Direction): SchemaChange {
  return { path: path.replace(/^\./, ""), kind, text, breaks: breaksOnly.includes(direction) };
}
