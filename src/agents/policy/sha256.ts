/** The first 32 bits of the fractional parts of a root of the first primes. */
function fractions(count: number, root: (prime: number) => number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) {
    if (isPrime(number)) found.push(((root(number) % 1) * 2 ** 32) | 0);
  }
  return found;
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return true;
}

const INITIAL = fractions(8, Math.sqrt);
const CONSTANTS = fractions(64, Math.cbrt);

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
