import type { Mismatch } from "../errors/local.js";
import { formatPath, kindAt, kindName } from "../errors/mismatch-words.js";

/** Where a value is inside the one that is checked. */
export interface Place {
  readonly outer: Place | undefined;
  readonly key: PropertyKey;
  readonly depth: number;
}

/** What doesn't fit, before it is put into words for the caller. */
export interface Complaint {
  readonly place: Place | undefined;
  readonly expected: string;
  /** It speaks of the value as a whole, not of a part or a bound: its variant wasn't meant. */
  readonly isOfWhole: boolean;
}

/** Longer expectations, as of a list with thousands of values, are cut. */
const LONGEST = 300;

export function within(outer: Place | undefined, key: PropertyKey): Place {
  return { outer, key, depth: (outer?.depth ?? 0) + 1 };
}

/** Without the value itself: only its kind. */
export function toMismatch({ place, expected }: Complaint, value: unknown): Mismatch {
  const path: PropertyKey[] = [];
  for (let at = place; at; at = at.outer) path.unshift(at.key);
  const shown = expected.length > LONGEST ? `${expected.slice(0, LONGEST)}…` : expected;
  return { path: wellFormed(formatPath(path)), expected: wellFormed(shown), seen: kindAt(value, path) };
}

/** With U+FFFD for each half of a surrogate pair, as UTF-8 has it. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** The complaints of the variant that came closest, or one about all of them if none came close. */
export function unionComplaints(variants: readonly (readonly Complaint[])[], place: Place | undefined): Complaint[] {
  const isAboutThis = (complaint: Complaint) => complaint.isOfWhole && complaint.place === place;
  const [closest] = variants
    .filter((variant) => !variant.some(isAboutThis))
    .sort((one, other) => one.length - other.length);
  if (closest && closest.length > 0) return [...closest];
  const kinds = new Set(
    variants
      .flat()
      .filter(isAboutThis)
      .map(({ expected }) => expected),
  );
  return [{ place, expected: alternatives(kinds) || "one of the documented variants", isOfWhole: kinds.size > 0 }];
}

/** `a or b`, as far as it is shown. */
export function alternatives(words: Iterable<string>): string {
  let text = "";
  for (const word of words) {
    text += text === "" ? word : ` or ${word}`;
    if (text.length > LONGEST) break;
  }
  return text;
}

export function kindsOf(types: unknown): string {
  return alternatives([types].flat().map((type) => kindName(String(type))));
}
