import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { answer, ends, wireServer, writes } from "../faults/wire.js";
import { FETCHES, OURS } from "./both.js";

const TEXT = "a text that is worth compressing, ".repeat(5_000);

type Fetch = (typeof FETCHES)[number][1];

/** Reads a body that is sent with this encoding. */
async function read(fetch: Fetch, encoding: string, body: Uint8Array | string): Promise<string> {
  const server = await wireServer(() => writes(answer(200, body, `content-encoding: ${encoding}`)));
  try {
    const response = await fetch(server.address);
    expect(response.headers.get("content-encoding")).toBe(encoding);
    return await response.text();
  } finally {
    await server.close();
  }
}

describe.each(FETCHES)("a compressed body of %s", (_, fetch) => {
  test.each([
    ["gzip", gzipSync(TEXT)],
    ["x-gzip", gzipSync(TEXT)],
    ["GZIP", gzipSync(TEXT)],
    ["deflate", deflateSync(TEXT)],
    ["deflate", deflateRawSync(TEXT)],
    ["br", brotliCompressSync(TEXT)],
    ["gzip, br", brotliCompressSync(gzipSync(TEXT))],
    ["br,gzip", gzipSync(brotliCompressSync(TEXT))],
    ["deflate, gzip, br", brotliCompressSync(gzipSync(deflateRawSync(TEXT)))],
    ["gzip, gzip, gzip, gzip, gzip", [1, 2, 3, 4, 5].reduce((bytes) => gzipSync(bytes), Buffer.from(TEXT))],
  ])("is decoded: %s", async (encoding, body) => {
    expect(await read(fetch, encoding, body)).toBe(TEXT);
  });

  test.each(["identity", "unknown", "gzip, unknown", "__proto__", ""])("isn't decoded: %j", async (encoding) => {
    expect(await read(fetch, encoding, "as it is")).toBe("as it is");
  });

  test.each(["gzip", "deflate", "br"])("may be empty: %s", async (encoding) => {
    expect(await read(fetch, encoding, "")).toBe("");
  });

  test("may be truncated, as browsers allow", async () => {
    const zipped = gzipSync(TEXT);
    expect(await read(fetch, "gzip", zipped.subarray(0, -8))).toBe(TEXT);
  });

  test.each(["gzip", "deflate", "br", "gzip, br"])(
    "whose encoding isn't the declared one is a TypeError: %s",
    async (encoding) => {
      const failed = read(fetch, encoding, "\u00ffnot compressed at all");
      await expect(failed).rejects.toBeInstanceOf(TypeError);
      await expect(failed).rejects.toMatchObject({ message: "terminated" });
    },
  );

  test("in more than five encodings is a TypeError", async () => {
    const failed = read(fetch, new Array(6).fill("gzip").join(", "), gzipSync(TEXT));
    await expect(failed).rejects.toMatchObject({ message: "fetch failed", cause: { message: /encodings/ } });
  });
});

test("a body that ends with its connection is decoded to its end", async () => {
  const body = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n"), gzipSync(TEXT)]);
  const server = await wireServer(() => ends(body));
  for (const [, fetch] of OURS) expect(await (await fetch(server.address)).text()).toBe(TEXT);
  await server.close();
});
