// What the benchmarks count with: medians, their spread, and turns that contenders take.

/** The value below which this share of the values lies. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
}

export const median = (values) => quantile(values, 0.5);

/**
 * Runs every contender once per round, in an order that turns, so that whatever else the machine does meets them all alike.
 *
 * @returns what `run` gave, by name, in the order of the rounds.
 */
export async function interleave(names, rounds, run) {
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) samples[name].push(await run(name));
  }
  return samples;
}

/**
 * Times as ratios to one of them. `ratio` is the median of the rounds, each compared within itself, `low` and `high` hold
 * eight rounds of ten. `quiet` compares the 5th percentiles: other work on the machine only ever adds.
 */
export function ratiosTo(base, samples) {
  return Object.fromEntries(
    Object.entries(samples).map(([name, times]) => {
      const ratios = times.map((time, round) => time / samples[base][round]);
      const figures = {
        ratio: median(ratios),
        low: quantile(ratios, 0.1),
        high: quantile(ratios, 0.9),
        quiet: quantile(times, 0.05) / quantile(samples[base], 0.05),
        medianMicroseconds: median(times),
        quietMicroseconds: quantile(times, 0.05),
      };
      return [name, mapValues(figures, round3)];
    }),
  );
}

export const mapValues = (object, map) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

/** Three digits that count: what is beyond them is noise. */
export const round3 = (value) => Number(value.toPrecision(3));
