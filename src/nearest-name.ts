const LONGEST = 100;

/** The known name that was probably meant: the one that takes the fewest changes, and few enough to be a slip; else one it begins. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  // What is longer than any name is no slip, and comparing takes time by the square of its length.
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

/** Letters to insert, delete or replace on the way from one text to the other (Levenshtein). */
function changesBetween(one: string, other: string): number {
  let row = Array.from(`${other} `, (_, column) => column);
  for (const letter of one) {
    let left = Number.POSITIVE_INFINITY;
    row = row.map((above, column) => {
      left = Math.min(above + 1, left + 1, (row[column - 1] ?? left) + Number(letter !== other[column - 1]));
      return left;
    });
  }
  return row.at(-1) ?? 0;
}
