// What the benchmarks count with: medians, their spread, and turns that contenders take.

/** The value below which this share of the values lies. */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
}

export const median = (values) => quantile(values, 0.5);

/**
 * Runs every contender once per round, in an order that turns, so that whatever else the machine does meets them all
 * alike.
 *
 * @param warmUps rounds before the first that counts.
 * @returns what `run` gave, by name, in the order of the rounds.
 */
export async function interleave(names, { rounds, warmUps = 0 }, run) {
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    const first = (round + warmUps) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const sample = await run(name);
      if (round >= 0) samples[name].push(round3(sample));
    }
  }
  return samples;
}

/**
 * Times as a ratio to others, each round compared within itself: `ratio` is the median of the rounds, eight rounds of
 * ten lie between `low` and `high`, and the median itself is at least `certain`, with 97.5 % confidence.
 */
export function compare(times, base) {
  const ratios = times.map((time, round) => time / base[round]);
  return {
    ratio: median(ratios),
    low: quantile(ratios, 0.1),
    high: quantile(ratios, 0.9),
    // The order statistic that bounds a median, whatever the distribution.
    certain: quantile(ratios, Math.max(0.5 - 0.98 / Math.sqrt(ratios.length), 0)),
  };
}

/** Microseconds that processors worked for this process: what others do meanwhile does not count. */
export function cpuSince(before) {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

export const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

/** Three digits that count: what is beyond them is noise. */
export const round3 = (value) => Number(value.toPrecision(3));
