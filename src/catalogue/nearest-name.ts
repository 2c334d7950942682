/** The known name that was probably meant: the one that takes the fewest changes, and few enough to be a slip. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase();
  const [nearest] = known
    .map((candidate) => ({ candidate, changes: changesBetween(plain, candidate.toLowerCase()) }))
    .filter(({ changes }) => changes <= Math.max(1, Math.floor(plain.length / 3)))
    .sort((one, other) => one.changes - other.changes);
  return nearest?.candidate ?? known.find((candidate) => plain.length > 2 && candidate.toLowerCase().startsWith(plain));
}

/** Letters to insert, delete or replace on the way from one text to the other (Levenshtein). */
function changesBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...one].entries()) {
    const row = [index + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[other.length] ?? 0;
}
