/** The next number of a sequence, from 0 to below 1, the same in every runtime. Mulberry32, because it's small. */
export function nextRandom(sequence: { seed: number }): number {
  sequence.seed = (sequence.seed + 0x6d2b79f5) | 0;
  let mixed = sequence.seed;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** A seed for each string. FNV-1a. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
