const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/** Where a sequence of ids stands. Kept in the state, so that the same seed gives the same ids. */
export interface IdSequence {
  seed: number;
}

/** Makes ids in the service's shapes. Chance comes from the sequence only. */
export class Ids {
  readonly #sequence: IdSequence;

  constructor(sequence: IdSequence) {
    this.#sequence = sequence;
  }

  /** A prefixed id: `ac_` and 12 characters. */
  next(prefix: string): string {
    return prefix + Array.from({ length: 12 }, () => ALPHABET[this.#below(ALPHABET.length)]).join("");
  }

  /** A UUID, version 4 in form. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.#below(16).toString(16)).join("");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  #below(bound: number): number {
    // Mulberry32: small, and the same in every runtime.
    this.#sequence.seed = (this.#sequence.seed + 0x6d2b79f5) | 0;
    let mixed = this.#sequence.seed;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }
}
