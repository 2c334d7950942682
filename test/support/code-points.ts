import fc from "fast-check";

const LAST = 0x10_ff_ff;
const HALVES = { first: 0xd8_00, count: 0x8_00 };

/**
 * Strings of any code points but halves of pairs. `fc.string({ unit: "binary" })` makes the same strings, but first a
 * table of all code points, which takes seconds.
 */
export function codePoints(constraints: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  const point = fc
    .integer({ min: 0, max: LAST - HALVES.count })
    .map((number) => (number < HALVES.first ? number : number + HALVES.count));
  return fc.array(point, constraints).map((points) => String.fromCodePoint(...points));
}
