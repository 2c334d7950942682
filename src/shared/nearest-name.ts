/** No name is longer. */
const LONGEST = 100;

/**
 * The known name that was probably meant: one that starts with the given name, otherwise the one with the fewest
 * changes, if few enough for a typo, otherwise one that starts with the given name without the `s` of a plural.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase();
  const longer = (start: string) =>
    start.length > 2 ? known.find((candidate) => candidate.toLowerCase().startsWith(start)) : undefined;
  return longer(plain) ?? nameWithin(name.length / 3, name, known) ?? longer(plain.replace(/s$/, ""));
}

/** The known name that differs in at most so many letters, apart from their case. */
export function nameWithin(most: number, name: string, known: readonly string[]): string | undefined {
  // Not a typo of a name, and comparing takes quadratic time.
  if (name.length > LONGEST) return undefined;
  const plain = name.toLowerCase();
  let nearest: string | undefined;
  let mostLeft = most;
  for (const candidate of known) {
    if (Math.abs(candidate.length - plain.length) > mostLeft) continue;
    const changes = changesBetween(plain, candidate.toLowerCase());
    if (changes > mostLeft) continue;
    nearest = candidate;
    mostLeft = changes - 1;
  }
  return nearest;
}

/** ` Did you mean limit?`, if a known name was probably meant; if not, what is said `otherwise`. */
export function didYouMean(name: string, known: readonly string[], otherwise = ""): string {
  const meant = nearestName(name, known);
  return meant === undefined ? otherwise : ` Did you mean ${meant}?`;
}

/** As many unknown names as a message lists. */
const MOST_UNKNOWN = 5;

/**
 * Sentences about the names of options that aren't known: a misspelled limit wouldn't apply.
 *
 * @param path - Where the options are, in front of their names: `rules[0].allow.`.
 */
export function unknownNames(given: readonly string[], known: readonly string[], path = ""): string[] {
  const unknown = given.filter((name) => !known.includes(name));
  const shown = unknown.slice(0, MOST_UNKNOWN);
  const problems = shown.map((name) => `Unknown option ${path}${name.slice(0, LONGEST)}.${didYouMean(name, known)}`);
  if (unknown.length > shown.length) problems.push(`There are ${unknown.length - shown.length} more.`);
  if (shown.some((name) => !nearestName(name, known))) problems.push(`The options are ${known.join(", ")}.`);
  return problems;
}

/** Number of letters to insert, delete, replace or swap with the next one to get from one string to the other. */
function changesBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = [...Array(to.length + 1).keys()];
  for (const [index, letter] of [...from].entries()) {
    let left = Number.POSITIVE_INFINITY;
    const next = row.map((above, column) => {
      left = Math.min(above + 1, left + 1, (row[column - 1] ?? left) + Number(letter !== to[column - 1]));
      const isSwapped = index > 0 && letter === to[column - 2] && from[index - 1] === to[column - 1];
      if (isSwapped) left = Math.min(left, (before[column - 2] ?? left) + 1);
      return left;
    });
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
