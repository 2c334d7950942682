// MD5 of RFC 1321. The service names files by it, and Web Crypto has none. It isn't used for security here.

/** One number per step. Literals would be the largest part of this module in a bundle. */
const SINES = Uint32Array.from({ length: 64 }, (_, step) => Math.abs(Math.sin(step + 1)) * 2 ** 32);
/** Rotation of each step: four per round, used in turn. */
const ROTATIONS = Uint8Array.of(7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21);

const BLOCK = 64;

/** The MD5 of these bytes as 32 hexadecimal digits. */
export function md5(bytes: Uint8Array): string {
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  const rest = bytes.byteLength % BLOCK;
  mix(state, bytes.subarray(0, bytes.byteLength - rest));
  mix(state, padded(bytes.subarray(bytes.byteLength - rest), bytes.byteLength));
  const digest = new DataView(new ArrayBuffer(16));
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word, true);
  return [...new Uint8Array(digest.buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The last blocks: the rest, a single bit, zeros, and the total length in bits. */
function padded(rest: Uint8Array, length: number): Uint8Array {
  const blocks = new Uint8Array(rest.byteLength < BLOCK - 8 ? BLOCK : 2 * BLOCK);
  blocks.set(rest);
  blocks[rest.byteLength] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.byteLength - 8, (length * 8) >>> 0, true);
  view.setUint32(blocks.byteLength - 4, Math.floor(length / 2 ** 29), true);
  return blocks;
}

/** Adds whole blocks to the state. */
function mix(state: Int32Array, blocks: Uint8Array): void {
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.byteLength);
  // `?? 0` is for the compiler only; the indices are always in range.
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (let block = 0; block < blocks.byteLength; block += BLOCK) {
    const [startA, startB, startC, startD] = [a, b, c, d];
    for (let step = 0; step < 64; step += 1) {
      const round = step >> 4;
      let mixed = c ^ (b | ~d);
      let word = (7 * step) & 15;
      if (round === 0) {
        mixed = (b & c) | (~b & d);
        word = step;
      } else if (round === 1) {
        mixed = (d & b) | (~d & c);
        word = (5 * step + 1) & 15;
      } else if (round === 2) {
        mixed = b ^ c ^ d;
        word = (3 * step + 5) & 15;
      }
      const sum = (a + mixed + (SINES[step] ?? 0) + view.getInt32(block + word * 4, true)) | 0;
      const rotation = ROTATIONS[round * 4 + (step & 3)] ?? 0;
      a = d;
      d = c;
      c = b;
      b = (b + ((sum << rotation) | (sum >>> (32 - rotation)))) | 0;
    }
    a = (a + startA) | 0;
    b = (b + startB) | 0;
    c = (c + startC) | 0;
    d = (d + startD) | 0;
  }
  state.set([a, b, c, d]);
}
