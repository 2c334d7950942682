import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../../src/shared/sha256-sync.js";

test("hashes like every other SHA-256", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }),
  );
});
