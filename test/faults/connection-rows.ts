import { gzipSync } from "node:zlib";
import { ConnectionError, ResponseError, TimeoutError } from "../../src/index.js";
import { freePort } from "../support/ports.js";
import { EXPIRED, SELF_SIGNED } from "./certificates.js";
import { type Failure, type Fault, NOWHERE, peerOf, playing, TIMEOUT_MS } from "./table.js";
import { breaks, drips, ends, JSON_TYPE, json, type Move, spells, wireServer, writes } from "./wire.js";

const OK = '{"ok":true}';
const HEAD = `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\n`;
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;

const unreached = (code: RegExp, again: Failure["again"] = "all"): Failure => ({
  error: ConnectionError,
  outcome: "not_sent",
  again,
  reaches: 0,
  shows: { phase: "headers" },
  says: code,
});

/** The connection broke, and the request may have arrived. */
const broke = (phase: "headers" | "body"): Failure => ({
  error: ConnectionError,
  outcome: "unknown",
  again: "harmless",
  shows: { phase },
});

const late = (phase: "headers" | "body"): Failure => ({
  error: TimeoutError,
  outcome: "unknown",
  again: "harmless",
  shows: { phase, timeoutMs: TIMEOUT_MS, option: "timeoutMs" },
  isTimed: true,
  letsGo: true,
});

const tooLarge: Failure = {
  error: ResponseError,
  outcome: "unknown",
  again: "none",
  shows: { status: 200 },
  says: /larger than maxBodyBytes/,
};

/** Rows that share one outcome. */
const alike = (right: Fault["right"], rows: readonly (readonly [name: string, move: Move])[]): readonly Fault[] =>
  rows.map(([name, move]) => ({ name, peer: playing(move), right }));

const accepts = (play: Move["play"]): Move => ({ on: "accept", play });

function absent(baseUrl: () => Promise<string>): Fault["peer"] {
  return async () => ({ ...NOWHERE, options: { baseUrl: await baseUrl() } });
}

/** A server with this certificate, which must never hear a request. */
function untrusted(certificate: typeof SELF_SIGNED): Fault["peer"] {
  return async () => peerOf(await wireServer(() => writes(json(200, OK)), certificate));
}

/** A peer that speaks no TLS, addressed as if it did. */
function overTls(move: Move): Fault["peer"] {
  return async () => {
    const server = await wireServer(() => move);
    return peerOf(server, { baseUrl: server.address.replace("http:", "https:") });
  };
}

/** No connection comes about: nothing was sent. */
const UNREACHED: readonly Fault[] = [
  {
    name: "a refused connection",
    peer: absent(async () => `http://127.0.0.1:${await freePort()}`),
    right: { ...unreached(/ECONNREFUSED.*Is the service running there/), shows: { code: "ECONNREFUSED" } },
  },
  {
    name: "a host name that does not resolve",
    peer: absent(async () => "https://svc-sdk.invalid"),
    right: unreached(/(ENOTFOUND|EAI_AGAIN).*couldn't be resolved/),
  },
  { name: "a certificate nobody vouches for", peer: untrusted(SELF_SIGNED), right: unreached(/SELF_SIGNED/, "none") },
  { name: "an expired certificate", peer: untrusted(EXPIRED), right: unreached(/CERT_HAS_EXPIRED/, "none") },
  {
    name: "https to a port that speaks http",
    peer: overTls(accepts((socket) => socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"))),
    right: { ...unreached(/Does baseUrl use https, but the service http/), reaches: 1 },
  },
  {
    name: "a reset inside a TLS handshake",
    peer: overTls(accepts((socket) => socket.once("data", () => socket.resetAndDestroy()))),
    // The runtime does not say that it was still shaking hands.
    right: broke("headers"),
  },
  {
    name: "an end instead of a TLS handshake",
    peer: overTls(accepts((socket) => socket.end())),
    right: { ...unreached(/ECONNRESET/), reaches: 1 },
  },
];

/** The connection ends before there is a whole head. */
const BROKEN_HEADS = alike(broke("headers"), [
  [
    "a reset at the first byte of the request",
    accepts((socket) => socket.once("data", () => socket.resetAndDestroy())),
  ],
  ["an end as soon as the connection stands", accepts((socket) => socket.end())],
  ["a reset after the request", breaks("")],
  ["an end after the request", ends("")],
  ["a reset inside the status line", breaks("HTTP/1.1 20")],
  ["an end inside the status line", ends("HTTP/1.1 20")],
  ["a reset inside the headers", breaks(`${HEAD}x-half: `)],
  ["an end inside the headers", ends(`${HEAD}x-half: `)],
  ["garbage instead of HTTP", writes("\u0000\u0001SSH-2.0-nothing here is HTTP\r\n\r\n")],
  ["an answer of HTTP/0.9", ends(OK)],
  ["two lengths that contradict each other", writes(`${HEAD}content-length: 11\r\ncontent-length: 12\r\n\r\n${OK}`)],
  ["a length that is no number", writes(`${HEAD}content-length: eleven\r\n\r\n${OK}`)],
  ["a negative length", writes(`${HEAD}content-length: -11\r\n\r\n${OK}`)],
  [
    "a length beside chunks",
    writes(`${HEAD}content-length: 11\r\ntransfer-encoding: chunked\r\n\r\nb\r\n${OK}\r\n0\r\n\r\n`),
  ],
  ["400 KiB of headers", writes(`${HEAD}x-long: ${"x".repeat(400 * 1_024)}\r\n\r\n`)],
  ["a NUL in a header", writes(`${HEAD}x-bad: a\u0000b\r\ncontent-length: 11\r\n\r\n${OK}`)],
  ["a 100 Continue nobody asked for", writes(`HTTP/1.1 100 Continue\r\n\r\n${HEAD}content-length: 11\r\n\r\n${OK}`)],
  ["a header without a colon", writes(`${HEAD}no colon here\r\ncontent-length: 11\r\n\r\n${OK}`)],
]);

/** The head is good, the body is not whole. */
const BROKEN_BODIES = alike(broke("body"), [
  ["a reset inside the body", breaks(`${HEAD}content-length: 11\r\n\r\n{"ok"`)],
  ["an end inside the body", ends(`${HEAD}content-length: 11\r\n\r\n{"ok"`)],
  ["an end before a body of a stated length", ends(`${HEAD}content-length: 11\r\n\r\n`)],
  ["a chunk cut in the middle", ends(`${CHUNKED}b\r\n{"ok"`)],
  ["chunks without an end", ends(`${CHUNKED}b\r\n${OK}\r\n`)],
  ["a reset between chunks", breaks(`${CHUNKED}b\r\n${OK}\r\n`)],
  ["a chunk whose length is no number", writes(`${CHUNKED}zz\r\n${OK}\r\n0\r\n\r\n`)],
  ["a chunk longer than it says", writes(`${CHUNKED}4\r\n${OK}\r\n0\r\n\r\n`)],
  ["a gzip that is none", writes(json(200, OK, "content-encoding: gzip"))],
  ["a gzip with a wrong check sum", writes(json(200, damaged(gzipSync(OK)), "content-encoding: gzip"))],
]);

function damaged(gzip: Buffer): Buffer {
  const copy = Buffer.from(gzip);
  const at = copy.byteLength - 6;
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
}

/** Nothing comes, or it never comes to an end. */
const ENDLESS: readonly Fault[] = [
  { name: "a server that takes the request and is silent", peer: playing(writes("")), right: late("headers") },
  {
    name: "a head that comes one byte at a time",
    peer: playing(spells(`${HEAD}x: ${"y".repeat(1_000)}`, 10)),
    right: late("headers"),
  },
  {
    name: "early hints and nothing after them",
    peer: playing(writes("HTTP/1.1 103 Early Hints\r\n\r\n")),
    right: late("headers"),
  },
  {
    name: "a body that does not begin",
    peer: playing(writes(`${HEAD}content-length: 11\r\n\r\n`)),
    right: late("body"),
  },
  { name: "a body that stops", peer: playing(writes(`${HEAD}content-length: 11\r\n\r\n{"ok"`)), right: late("body") },
  {
    name: "a body that drips",
    peer: playing(drips(`${HEAD}content-length: 9999\r\n\r\n{"ok": `, " ", 10)),
    right: late("body"),
  },
];

/** As much as the client is willing to hold, and more. */
const TOO_LARGE: readonly Fault[] = [
  {
    name: "a body that never ends",
    peer: playing(drips(`${HEAD}content-length: 999999999999\r\n\r\n`, " ".repeat(16_384))),
    options: { maxBodyBytes: 100_000 },
    right: { ...tooLarge, letsGo: true },
  },
  {
    name: "a body of one byte too many",
    peer: playing(writes(json(200, OK))),
    options: { maxBodyBytes: OK.length - 1 },
    right: tooLarge,
  },
  {
    name: "a body of exactly the largest size",
    peer: playing(writes(json(200, OK))),
    options: { maxBodyBytes: OK.length },
    right: { value: { ok: true } },
  },
  {
    name: "a gzip bomb of 512 MiB in half a MiB",
    // A gzip may have several members, one after the other.
    peer: playing(
      writes(json(200, Buffer.concat(new Array(32).fill(gzipSync(Buffer.alloc(2 ** 24)))), "content-encoding: gzip")),
    ),
    options: { maxBodyBytes: 2 ** 20 },
    right: { ...tooLarge, letsGo: true },
  },
];

/** Responses that look odd and are right. */
const SOUND = alike({ value: { ok: true } }, [
  [
    "early hints before the answer",
    writes(Buffer.concat([Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"), json(200, OK)])),
  ],
  ["an answer that closes the connection", ends(json(200, OK, "connection: close"))],
  ["a connection closed right after the answer", ends(json(200, OK))],
  ["a body that ends with the connection", ends(`${HEAD}\r\n${OK}`)],
  ["an answer of HTTP/1.0", ends(`HTTP/1.0 200 OK\r\n${JSON_TYPE}\r\n\r\n${OK}`)],
  ["an answer in tiny chunks", writes(`${CHUNKED}${[...OK].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`)],
  ["an answer that comes one byte at a time", spells(json(200, OK).toString(), 0)],
]);

export const CONNECTION_ROWS: readonly Fault[] = [
  ...UNREACHED.map((fault): Fault => ({ ...fault, heals: false })),
  ...BROKEN_HEADS,
  ...BROKEN_BODIES,
  ...ENDLESS.map((fault): Fault => ({ ...fault, options: { timeoutMs: TIMEOUT_MS } })),
  ...TOO_LARGE,
  ...SOUND,
];
