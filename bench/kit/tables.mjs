import { compare, median } from "./measure.mjs";

/**
 * Rows of a table, by contender, from columns of samples: ratios to the base with their spread; the base in
 * microseconds.
 */
export function ratioRows(columns, base) {
  const rows = {};
  for (const [column, samples] of Object.entries(columns)) {
    for (const [name, times] of Object.entries(samples)) {
      const { ratio, low, high } = compare(times, samples[base]);
      const spread = `${digits(low)} to ${digits(high)}`;
      rows[name] ??= {};
      rows[name][column] = name === base ? `${digits(median(times))} µs` : `${digits(ratio)} (${spread})`;
    }
  }
  return rows;
}

/** Rows of a chart: the medians of the ratios to the base. */
export const ratioBars = (samples, base) =>
  Object.entries(samples).map(([label, times]) => ({ label, value: Number(digits(compare(times, samples[base]).ratio)) }));

/** Two decimals below 10, one below 100, then none. */
export function digits(value) {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value?.toLocaleString("en-US") ?? "";
  const decimals = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  const rounding = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, signDisplay: "negative" };
  return value.toLocaleString("en-US", rounding);
}
