const PRIMES = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
  113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239,
  241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311,
];

/** The first 32 bits of the fractional part of a root. */
const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0;

const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const CONSTANTS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/**
 * The SHA-256 digest of a string's UTF-8 bytes, in hex. Web Crypto's is asynchronous, and schemas are compiled
 * synchronously.
 */
export function sha256(text: string): string {
  const state = [...INITIAL];
  const bytes = new TextEncoder().encode(text);
  const words = new Int32Array((((bytes.length + 8) >> 6) + 1) * 16);
  [...bytes, 0x80].forEach((byte, index) => {
    words[index >> 2] = (words[index >> 2] ?? 0) | (byte << (24 - (index % 4) * 8));
  });
  words[words.length - 1] = bytes.length * 8;
  for (let start = 0; start < words.length; start += 16) addBlock(state, words.subarray(start, start + 16));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function addBlock(state: number[], block: Int32Array): void {
  const schedule = Array.from(block);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  CONSTANTS.forEach((constant, round) => {
    if (round > 15) {
      const [far = 0, near = 0] = [schedule[round - 15], schedule[round - 2]];
      const low = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3);
      const high = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
      schedule[round] = ((schedule[round - 16] ?? 0) + low + (schedule[round - 7] ?? 0) + high) | 0;
    }
    const mix = (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + mix + constant + (schedule[round] ?? 0)) | 0;
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  });
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = ((state[index] ?? 0) + word) | 0;
  });
}
