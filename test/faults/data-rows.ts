import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { ResponseError } from "../../src/index.js";
import { type Failure, type Fault, KEY, playing } from "./table.js";
import { answer, json, writes } from "./wire.js";

const OK = '{"ok":true}';
const HTML = "<!doctype html><html><title>Sign in to the network</title><body>Accept the terms</body></html>";

type Row = readonly [name: string, wire: Uint8Array, says: RegExp];

/** A good status that is not the data: the call may have run, and nothing of the response is a value. */
const notData = (status: number, says: RegExp): Failure => ({
  error: ResponseError,
  outcome: "unknown",
  again: "harmless",
  shows: { status },
  says,
});

const BAD: readonly Row[] = [
  ["a page of a captive portal", answer(200, HTML, "content-type: text/html"), /HTML page/],
  ["a page that calls itself JSON", json(200, HTML), /HTML page/],
  ["an empty body", json(200, ""), /without a body/],
  ["an empty body of no type", answer(200, ""), /without a body/],
  ["a body of blanks", json(200, " \r\n\t "), /without a body/],
  ["JSON that breaks off", json(200, '{"ok":tr'), /is cut off or malformed/],
  ["JSON with garbage after it", json(200, `${OK}garbage`), /is cut off or malformed/],
  ["two JSON values", json(200, OK + OK), /is cut off or malformed/],
  ["an XSSI prefix before JSON", json(200, `)]}',\n${OK}`), /isn't JSON/],
  ["a NaN", json(200, '{"ok":NaN}'), /is cut off or malformed/],
  ["a length shorter than the body", json(200, OK, "content-length: 5"), /is cut off/],
  [
    "a gzip that is cut short",
    json(200, gzipSync(`{"ok":true,"a":"${"ab1".repeat(99)}"}`).subarray(0, 24), "content-encoding: gzip"),
    /./,
  ],
  ["null", json(200, "null"), /JSON null, not an object/],
  ["a string", json(200, '"ok"'), /JSON string, not an object/],
  ["a number", json(200, "1"), /JSON number, not an object/],
  ["a truth", json(200, "true"), /JSON boolean, not an object/],
  ["an array", json(200, "[]"), /JSON array, not an object/],
  ["an object in a string", json(200, JSON.stringify(OK)), /JSON string, not an object/],
  ["an error object", json(200, { error: { message: "it did not work", code: 1 } }), /error object/],
  ["plain text", answer(200, "OK", "content-type: text/plain"), /isn't JSON.*text\/plain/],
  [
    "the bytes of a picture",
    answer(200, new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]), "content-type: image/png"),
    /image\/png/,
  ],
  ["60,000 arrays in one another, cut short", json(200, "[".repeat(60_000)), /is cut off or malformed/],
  ["an encoding that nobody knows", json(200, gzipSync(OK), "content-encoding: snappy"), /isn't JSON/],
  ["a content type that repeats the key", answer(200, "OK", `content-type: text/${KEY}`), /isn't JSON.*text\/\*\*\*/],
  ["a body that repeats the key", answer(200, `Hello ${KEY}`), /isn't JSON/],
  ["a content type of 8 KiB", answer(200, "OK", `content-type: text/${"x".repeat(8_192)}`), /isn't JSON/],
  ["UTF-16", json(200, Buffer.from(OK, "utf16le")), /./],
];

const NO_CONTENT: readonly Fault[] = [204, 205].map((status) => ({
  name: `a ${status} where data is due`,
  peer: playing(writes(answer(status, ""))),
  right: notData(status, /without a body/),
}));

/** Bodies that look odd and are the data. */
const SOUND: readonly (readonly [name: string, wire: Uint8Array])[] = [
  ["a 201", json(201, OK)],
  ["a 202", json(202, OK)],
  ["a 203", json(203, OK)],
  ["a 206", json(206, OK)],
  ["a 299", json(299, OK)],
  ["a byte order mark", json(200, `\uFEFF${OK}`)],
  ["blanks around the value", json(200, `\r\n\t ${OK}\n\n`)],
  ["a content type in capitals", answer(200, OK, "content-type: Application/JSON; Charset=UTF-8")],
  ["a +json content type", answer(200, OK, "content-type: application/vnd.api+json")],
  ["JSON without a content type", answer(200, OK)],
  ["JSON that calls itself text", answer(200, OK, "content-type: text/plain")],
  ["JSON that calls itself HTML", answer(200, OK, "content-type: text/html")],
  ["a content type that is none", answer(200, OK, "content-type: ;;;")],
  ["gzip", json(200, gzipSync(OK), "content-encoding: gzip")],
  ["gzip by its old name", json(200, gzipSync(OK), "content-encoding: x-gzip")],
  ["br", json(200, brotliCompressSync(OK), "content-encoding: br")],
  ["deflate", json(200, deflateSync(OK), "content-encoding: deflate")],
  ["gzip of br", json(200, gzipSync(brotliCompressSync(OK)), "content-encoding: br, gzip")],
  ["duplicate keys, the last of which counts", json(200, '{"ok":false,"ok":true}')],
];

/** Answers that hold more than `{ ok: true }`, and what must be reachable in them. */
const LARGER: readonly (readonly [name: string, wire: Uint8Array, holds: (data: object) => boolean])[] = [
  [
    "fields nobody knows",
    json(200, { ok: true, invented: { later: [1] } }),
    (data) => JSON.stringify(data).includes("later"),
  ],
  [
    "bytes that are no UTF-8",
    json(200, Buffer.from('{"ok":"\xff"}', "latin1")),
    (data) => Reflect.get(data, "ok") === "\uFFFD",
  ],
  [
    "60,000 arrays in one another",
    json(200, `{"ok":${"[".repeat(60_000)}${"]".repeat(60_000)}}`),
    (data) => depthOf(Reflect.get(data, "ok")) === 60_000,
  ],
  [
    "a field called __proto__",
    json(200, '{"ok":true,"__proto__":{"polluted":true}}'),
    (data) => !("polluted" in {}) && Object.hasOwn(data, "ok"),
  ],
  [
    "8 MiB of an honest answer",
    json(200, `{"ok":"${"x".repeat(8 * 2 ** 20)}"}`),
    (data) => String(Reflect.get(data, "ok")).length === 8 * 2 ** 20,
  ],
];

function depthOf(value: unknown): number {
  let depth = 0;
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth += 1;
  return depth;
}

export const DATA_ROWS: readonly Fault[] = [
  ...BAD.map(([name, wire, says]): Fault => ({ name, peer: playing(writes(wire)), right: notData(200, says) })),
  ...NO_CONTENT,
  ...SOUND.map(([name, wire]): Fault => ({ name, peer: playing(writes(wire)), right: { value: { ok: true } } })),
  ...LARGER.map(([name, wire, holds]): Fault => ({ name, peer: playing(writes(wire)), right: { holds } })),
];
