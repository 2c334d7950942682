/** The next number of a sequence, from 0 to below 1, the same in every runtime. Mulberry32, because it's small. */
export function nextRandom(sequence: { seed: number }): number {
  sequence.seed = (sequence.seed + 0x6d2b79f5) | 0;
  let mixed = sequence.seed;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** A seed for each string, from -2 ** 31 to below 2 ** 31: its hash by FNV-1a. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/** Position in the sequence of ids; null for random ids. Part of the state, so that equal runs create equal ids. */
interface IdSequence {
  seed: number | null;
}

/** Creates ids in the service's formats. */
export class Ids {
  readonly #sequence: IdSequence;

  constructor(sequence: IdSequence) {
    this.#sequence = sequence;
  }

  /** A prefixed id: `ac_` and 12 characters. */
  next(prefix: string): string {
    return prefix + this.#random(12, ALPHABET);
  }

  /** A UUID in the format of version 4. */
  uuid(): string {
    const hex = this.#random(32, "0123456789abcdef");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  #random(length: number, alphabet: string): string {
    const { seed } = this.#sequence;
    let text = "";
    if (seed === null) {
      // The length of both alphabets divides 256.
      for (const byte of crypto.getRandomValues(new Uint8Array(length))) text += alphabet[byte % alphabet.length];
      return text;
    }
    const sequence = { seed };
    while (text.length < length) text += alphabet[Math.floor(nextRandom(sequence) * alphabet.length)];
    this.#sequence.seed = sequence.seed;
    return text;
  }
}
