import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { Svc, SvcError } from "../../src/index.js";
import { undiciFetch } from "../../src/undici/index.js";
import { rejectionOf, send } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { wireServer } from "./wire.js";

/** The first bytes of a compressed body: too few to decode to anything. */
const BEGINNINGS = [
  ["gzip", gzipSync("x").subarray(0, 10)],
  ["deflate", deflateSync("x").subarray(0, 2)],
  ["br", brotliCompressSync("x").subarray(0, 1)],
  ["zstd", zstdCompressSync("x").subarray(0, 5)],
  ["gzip", Buffer.alloc(0)],
  ["GZIP, identity", Buffer.alloc(0)],
] as const;
const FETCHES = [
  ["the built-in fetch", undefined],
  ["undiciFetch", undiciFetch()],
] as const;

describe.each(FETCHES)("a 429 over %s", (_, fetch) => {
  test.each(BEGINNINGS)("isn't the service's own if its body is the beginning of %s: %o", async (encoding, body) => {
    const head = `HTTP/1.1 429 Limit\r\nretry-after: 1\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`;
    const play = {
      on: "request",
      play: (socket: { write(bytes: Buffer): unknown }) => socket.write(Buffer.concat([Buffer.from(head), body])),
    } as const;
    const server = await wireServer(() => play);
    onTestFinished(server.close);
    const options = { apiKey: "ak_test", baseUrl: server.address, env: {}, clock: fakeClock(), maxRetries: 5 };
    const svc = new Svc({ ...options, ...(fetch && { fetch }) });
    const error = await rejectionOf(SvcError, send(svc, "effect"));
    expect(server.requests).toHaveLength(1);
    expect(error).toMatchObject({ outcome: "unknown" });
  });
});
