import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { answer, wireServer, writes } from "../faults/wire.js";
import { settle } from "../support/clock.js";
import { OURS } from "./both.js";

const MIB = 2 ** 20;
const ZEROS = Buffer.alloc(128 * MIB);
const BOMBS = [
  ["gzip", gzipSync(ZEROS)],
  ["deflate", deflateSync(ZEROS)],
  ["br", brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })],
  ["gzip, gzip", gzipSync(gzipSync(ZEROS))],
] as const;

describe.each(OURS)("a compression bomb that %s receives", (_, fetch) => {
  test.each(BOMBS)("is decoded only as it is read: %s", async (encoding, bomb) => {
    // Without keep-alive, because a connection that was kept would be released only after seconds.
    const bytes = answer(200, bomb, `content-encoding: ${encoding}`, "connection: close");
    const server = await wireServer(() => writes(bytes));
    const before = process.memoryUsage().rss;
    const response = await fetch(server.address);
    const reader = response.body?.getReader();
    for (let length = 0; length < MIB; ) length += (await reader?.read())?.value?.byteLength ?? Infinity;
    for (let turn = 0; turn < 100; turn += 1) await settle();
    expect((process.memoryUsage().rss - before) / MIB).toBeLessThan(64);
    await reader?.cancel();
    await server.released();
    await server.close();
  });
});
