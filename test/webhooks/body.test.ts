import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { type VerifyOptions, verifySignature, type WebhookInput } from "../../src/webhooks/index.js";
import { errorOf, reasonOf } from "./rejection.js";
import { now, SECRET, sign } from "./vectors.js";

const TEXT = '{"note":"grüß"}';
const BYTES = new TextEncoder().encode(TEXT);
const headers = sign(TEXT);

/** The body that verifySignature returns. */
const verifiedBody = async (input: unknown, options: VerifyOptions = {}) =>
  // The types forbid some of these inputs, which other realms and frameworks pass.
  (await verifySignature(input as WebhookInput, { secret: SECRET, now, ...options })).body;

/** A request whose body comes in these chunks. */
function inChunks(pieces: readonly Uint8Array[], more: Record<string, string> = {}): Request {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const signed = sign(Buffer.concat(pieces));
  const init = { method: "POST", headers: { ...signed, ...more }, body, duplex: "half" };
  return new Request("http://localhost/hook", init);
}

test.each<[string, unknown]>([
  ["an ArrayBuffer", BYTES.slice().buffer],
  ["an ArrayBuffer of another realm", runInNewContext("Uint8Array.from(bytes).buffer", { bytes: [...BYTES] })],
  ["a Uint8Array of another realm", runInNewContext("Uint8Array.from(bytes)", { bytes: [...BYTES] })],
  ["a view of the middle of a buffer", new DataView(Uint8Array.from([1, ...BYTES, 2]).buffer, 1, BYTES.length)],
])("accepts %s as its bytes", async (_, body) => {
  expect(Buffer.from(await verifiedBody({ body, headers }))).toEqual(Buffer.from(BYTES));
});

test("decodes base64 only from a string and only if isBase64Encoded is true", async () => {
  expect(await verifiedBody({ body: BYTES, headers, isBase64Encoded: true })).toEqual(BYTES);
  const base64 = Buffer.from(TEXT).toString("base64");
  expect(await verifiedBody({ body: base64, headers: sign(base64), isBase64Encoded: false })).toBe(base64);
  expect(await verifiedBody({ body: base64, headers, isBase64Encoded: true })).toEqual(BYTES);
});

test("decodes base64 after it has checked the headers and the size", async () => {
  const body = "no base64 at all";
  expect(await reasonOf({ body, headers: {}, isBase64Encoded: true })).toBe("missing_header");
  expect(await reasonOf({ body, headers, isBase64Encoded: true }, { maxBodyBytes: 9 })).toBe("body_too_large");
  expect(await reasonOf({ body, headers, isBase64Encoded: true }, { maxBodyBytes: 10 })).toBe("no_match");
});

test("reads a request whose stream contains strings as their bytes", async () => {
  const pieces = ['{"note":', '"grüß"}'];
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const request = { headers: new Headers(headers), body, bodyUsed: false, arrayBuffer: () => undefined };
  expect(await verifiedBody(request)).toEqual(BYTES);
  expect(await reasonOf({ ...request, body: new Blob(["x"]).stream() }, { maxBodyBytes: 0.5 })).toBe("body_too_large");
});

test("reads an object that only shares a method with a Request as { body, headers }", async () => {
  const arrayBuffer = () => Promise.resolve(new ArrayBuffer(0));
  expect(await verifiedBody({ body: TEXT, headers, arrayBuffer })).toBe(TEXT);
  expect(await verifiedBody({ body: TEXT, headers, bodyUsed: true })).toBe(TEXT);
});

test("accepts a Request by its shape, such as that of a polyfill", async () => {
  const { body } = inChunks([BYTES]);
  const request = { headers: new Headers(headers), body, bodyUsed: false, arrayBuffer: () => undefined };
  expect(await verifiedBody(request)).toEqual(BYTES);
  expect(await reasonOf({ bodyUsed: false, arrayBuffer: () => undefined })).toBe("missing_header");
});

test("joins a body's chunks in order, and doesn't copy a body with one chunk", async () => {
  const pieces = [BYTES.slice(0, 3), BYTES.slice(3, 4), new Uint8Array(), BYTES.slice(4)];
  expect(await verifiedBody(inChunks(pieces))).toEqual(BYTES);
  expect(await verifiedBody(inChunks([new Uint8Array(), BYTES]))).toEqual(BYTES);
  expect(await verifiedBody(inChunks([]))).toEqual(new Uint8Array());
  const whole = BYTES.slice();
  expect(await verifiedBody(inChunks([whole]))).toBe(whole);
});

const LIMIT = 60;
const signed = (body: string | Uint8Array) => ({ body, headers: sign(body) });

test.each<[string, (bytes: number) => unknown]>([
  ["a string", (bytes) => signed("x".repeat(bytes))],
  ["a string with two bytes per letter", (bytes) => signed("ü".repeat(29) + "x".repeat(bytes - 58))],
  ["a string with three bytes per letter", (bytes) => signed("€".repeat(20) + "x".repeat(bytes - 60))],
  ["bytes", (bytes) => signed(new Uint8Array(bytes))],
  ["base64", (bytes) => ({ ...signed(new Uint8Array(bytes)), body: btoa("\0".repeat(bytes)), isBase64Encoded: true })],
  ["a request in two chunks", (bytes) => inChunks([new Uint8Array(30), new Uint8Array(bytes - 30)])],
  ["a request with a content-length", (bytes) => inChunks([new Uint8Array(bytes)], { "content-length": `${bytes}` })],
])("accepts %s of maxBodyBytes bytes, but not one more", async (_, make) => {
  const options = { maxBodyBytes: LIMIT };
  expect(Buffer.byteLength(await verifiedBody(make(LIMIT), options))).toBe(LIMIT);
  const message = `verifyWebhook: The body is larger than maxBodyBytes (${LIMIT}). Raise it if your deliveries really are that large.`;
  expect(await errorOf(make(LIMIT + 1), options)).toMatchObject({ reason: "body_too_large", message });
});

test("doesn't read a body whose content-length is too large", async () => {
  const request = inChunks([BYTES], { "content-length": "61" });
  expect(await reasonOf(request, { maxBodyBytes: LIMIT })).toBe("body_too_large");
  expect(request.bodyUsed).toBe(false);
});

test("rejects a body that is cut off, with its cause", async () => {
  const cause = new Error("reset");
  const body = new ReadableStream({ pull: (controller) => controller.error(cause) });
  const init = { method: "POST", headers, body, duplex: "half" };
  expect(await errorOf(new Request("http://localhost/hook", init))).toMatchObject({
    reason: "no_match",
    message: "verifyWebhook: The request's body was cut off before its end.",
    cause,
  });
});

test("rejects a body that doesn't end within bodyTimeoutMs, and cancels it", async () => {
  let cancelled: unknown = "not yet";
  const body = new ReadableStream({
    pull: (controller) => new Promise<void>(() => controller.enqueue(BYTES)),
    cancel: (reason) => {
      cancelled = reason;
    },
  });
  const request = new Request("http://localhost/hook", { method: "POST", headers, body, ...{ duplex: "half" } });
  expect(await errorOf(request, { bodyTimeoutMs: 5 })).toMatchObject({
    reason: "body_too_slow",
    message:
      "verifyWebhook: The body didn't arrive within bodyTimeoutMs (5 ms). Raise it if your deliveries really take that long.",
  });
  expect(cancelled).toBeUndefined();
});
