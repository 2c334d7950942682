/**
 * Compiles a pattern in which `*` stands for any characters, also none, and everything else for itself, case included.
 * Matching never goes back, so no name makes it slow.
 */
export function glob(pattern: string): (text: string) => boolean {
  const [start = "", ...others] = pattern.split("*");
  const end = others.pop();
  if (end === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(start) || !text.endsWith(end)) return false;
    const last = text.length - end.length;
    let from = start.length;
    for (const part of others) {
      const found = text.indexOf(part, from);
      if (found === -1) return false;
      from = found + part.length;
    }
    // The parts don't overlap: `A*A` isn't `A`.
    return from <= last;
  };
}
