import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { md5 } from "../../../src/resources/files/md5.js";

const reference = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");

test.each([
  ["", "d41d8cd98f00b204e9800998ecf8427e"],
  ["abc", "900150983cd24fb0d6963f7d28e17f72"],
  ["message digest", "f96b697d7cb7938d525a2f31aaf161d0"],
  [
    "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
    "57edf4a22be3c955ac49da2e2107b67a",
  ],
])("returns the digest in RFC 1321 for %j", (text, digest) => {
  expect(md5(new TextEncoder().encode(text))).toBe(digest);
});

test("agrees with an independent MD5 at every length around the block borders", () => {
  for (let length = 0; length <= 260; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 0xff);
    expect(md5(bytes), `length ${length}`).toBe(reference(bytes));
  }
});

test("agrees with an independent MD5 on any bytes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => md5(bytes) === reference(bytes)));
});

test("reads only its part of a larger buffer", () => {
  const buffer = Uint8Array.from({ length: 400 }, (_, index) => index & 0xff);
  const part = buffer.subarray(3, 203);
  expect(md5(part)).toBe(reference(part));
});

test("digests a megabyte", () => {
  const bytes = new Uint8Array(1_048_577).fill(0xa5);
  expect(md5(bytes)).toBe(reference(bytes));
});
