import type { Json } from "../../shared/json.js";

/** Width of the range if a schema has no bounds. */
const USUAL = 100;

/** A number within a shape's bounds. */
export function sampleNumber(shape: Json, isInteger: boolean, random: () => number): number {
  const step = typeof shape["multipleOf"] === "number" && shape["multipleOf"] > 0 ? shape["multipleOf"] : undefined;
  const lower = boundOf(shape["minimum"], shape["exclusiveMinimum"], Math.max);
  const upper = boundOf(shape["maximum"], shape["exclusiveMaximum"], Math.min);
  const width = Math.max(USUAL, (step ?? 1) * 2);
  const least = lower?.at ?? Math.min(1, (upper?.at ?? width) - width);
  const most = upper?.at ?? Math.max(least + width, width);
  const unit = isInteger ? wholeUnit(step) : (step ?? 1);
  const first = Math.ceil(least / unit) + (lower?.isExcluded && Math.ceil(least / unit) * unit <= least ? 1 : 0);
  const last = Math.floor(most / unit) - (upper?.isExcluded && Math.floor(most / unit) * unit >= most ? 1 : 0);
  if (first <= last) return rounded((first + Math.floor(random() * (Math.min(last, first + 1e6) - first + 1))) * unit);
  // No multiple lies between the bounds. For plain numbers, the middle does.
  return ((lower?.isExcluded || upper?.isExcluded) ?? false) ? (least + most) / 2 : least;
}

/** The smallest integer step that is a multiple of a step. */
function wholeUnit(step: number | undefined): number {
  if (step === undefined) return 1;
  for (let times = 1; times <= 1_000; times += 1)
    if (Number.isInteger(rounded(step * times))) return rounded(step * times);
  return step;
}

/** Without the error of a multiplication: 0.1 · 3 is 0.3. */
function rounded(value: number): number {
  return Number(value.toPrecision(15));
}

interface Bound {
  readonly at: number;
  readonly isExcluded: boolean;
}

/** In draft 4, `exclusiveMinimum` is a boolean that belongs to `minimum`. */
function boundOf(plain: unknown, excluded: unknown, tighter: (...values: number[]) => number): Bound | undefined {
  const values = [plain, excluded].filter((value) => typeof value === "number");
  if (values.length === 0) return undefined;
  const at = tighter(...values);
  return { at, isExcluded: excluded === true || excluded === at };
}
