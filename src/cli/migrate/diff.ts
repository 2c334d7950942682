const CONTEXT = 3;

/** The lines of a unified diff of one file. */
export function diffLines(path: string, before: string, after: string): string[] {
  const old = before.split("\n");
  const now = after.split("\n");
  const steps = stepsBetween(old, now);
  const lines = [`--- ${path}`, `+++ ${path}`];
  for (const [from, to] of hunksOf(steps)) {
    const hunk = steps.slice(from, to);
    const oldStart = steps.slice(0, from).filter(({ sign }) => sign !== "+").length + 1;
    const newStart = steps.slice(0, from).filter(({ sign }) => sign !== "-").length + 1;
    const count = (without: string) => hunk.filter(({ sign }) => sign !== without).length;
    lines.push(`@@ -${oldStart},${count("+")} +${newStart},${count("-")} @@`);
    lines.push(...hunk.map(({ sign, line }) => `${sign}${line.replace(/\r$/, "")}`));
  }
  return lines;
}

interface Step {
  readonly sign: " " | "+" | "-";
  readonly line: string;
}

/**
 * The fewest steps from the old lines to the new ones: keeps the common start and end, and the longest common sequence
 * between.
 */
function stepsBetween(old: readonly string[], now: readonly string[]): Step[] {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const a = old.slice(start, old.length - end);
  const b = now.slice(start, now.length - end);
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: Step[] = old.slice(0, start).map((line) => ({ sign: " ", line }));
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      steps.push({ sign: " ", line: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      steps.push({ sign: "-", line: a[i] ?? "" });
      i += 1;
    } else {
      steps.push({ sign: "+", line: b[j] ?? "" });
      j += 1;
    }
  }
  return [...steps, ...old.slice(old.length - end).map((line): Step => ({ sign: " ", line }))];
}

/** Ranges of steps around changes, with some unchanged lines. */
function hunksOf(steps: readonly Step[]): [from: number, to: number][] {
  const hunks: [number, number][] = [];
  steps.forEach(({ sign }, index) => {
    if (sign === " ") return;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(steps.length, index + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  });
  return hunks;
}
