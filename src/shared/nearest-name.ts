const LONGEST = 100;

/**
 * The known name that was probably meant: the one with the fewest changes, if few enough for a typo; otherwise one that
 * starts with the given name.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  // Anything longer than any name isn't a typo, and comparing takes quadratic time.
  if (name.length > LONGEST) return undefined;
  const plain = name.toLowerCase();
  let nearest = known.find((candidate) => plain.length > 2 && candidate.toLowerCase().startsWith(plain));
  let most = plain.length / 3;
  for (const candidate of known) {
    if (Math.abs(candidate.length - plain.length) > most) continue;
    const changes = changesBetween(plain, candidate.toLowerCase());
    if (changes > most) continue;
    nearest = candidate;
    most = changes - 1;
  }
  return nearest;
}

/** ` Did you mean limit?`, if a known name was probably meant; if not, what is said `otherwise`. */
export function didYouMean(name: string, known: readonly string[], otherwise = ""): string {
  const meant = nearestName(name, known);
  return meant === undefined ? otherwise : ` Did you mean ${meant}?`;
}

/** A sentence for each unknown option, with the closest known name. */
export function unknownNames(options: object, known: readonly string[]): string[] {
  return Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => `Unknown option ${name}.${didYouMean(name, known)}`);
}

/** Number of letters to insert, delete or replace to get from one string to the other (Levenshtein). */
function changesBetween(one: string, other: string): number {
  let row = [...Array(other.length + 1).keys()];
  for (const letter of one) {
    let left = Number.POSITIVE_INFINITY;
    row = row.map((above, column) => {
      left = Math.min(above + 1, left + 1, (row[column - 1] ?? left) + Number(letter !== other[column - 1]));
      return left;
    });
  }
  return row.at(-1) ?? 0;
}
