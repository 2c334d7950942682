/// <reference lib="es2024.string" />
import { WebhookVerificationError } from "../errors/webhook.js";
import { isArrayBuffer } from "../shared/array-buffer.js";
import { decodeBase64 } from "../shared/base64.js";
import { isObject, isString } from "../shared/json.js";
import { within } from "../shared/timers.js";
import type { WebhookHeaders } from "./headers.js";

/** By which headers are told from an input that contains them. */
const SIGNATURE: keyof WebhookHeaders = "webhook-signature";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes behind a view or a buffer; `undefined` for anything else. */
export function viewOf(value: unknown): Uint8Array | undefined {
  // By shape, and into a new view: bytes from another realm (Jest, vm) aren't instances of this realm's Uint8Array.
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (isArrayBuffer(value)) return new Uint8Array(value);
  return undefined;
}

/** A body as a string; `undefined` if it isn't valid UTF-8. Half a surrogate pair has no bytes in UTF-8. */
export function textOf(body: string | Uint8Array): string | undefined {
  if (typeof body === "string") return body.isWellFormed() ? body : undefined;
  try {
    return decoder.decode(body);
  } catch {
    return undefined;
  }
}

/** How to keep the raw body, in each framework. */
export const PARSED =
  "The signature covers the bytes that were sent, which a parsed body no longer contains. " +
  'Express: put express.raw({ type: "application/json" }) on this route, before express.json(). ' +
  "Fastify: register the route in its own scope, with removeAllContentTypeParsers() and " +
  'addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => done(null, body)). ' +
  "Koa: register the route before the body parser. " +
  "Next.js: in a pages route export const config = { api: { bodyParser: false } }; in a route handler pass the Request without reading it first. " +
  "NestJS: create the application with { rawBody: true }. Otherwise: pass the body as a string or bytes, before JSON.parse.";

/** Whether a value is a `Request`. */
// Checked by shape: a Request from another realm or a polyfill isn't an instance of this realm's class.
export function isRequest(input: object): input is Request {
  return "bodyUsed" in input && "arrayBuffer" in input;
}

/** @throws {WebhookVerificationError} for an argument without headers or body: what was probably meant. */
export function checkInput(input: unknown): asserts input is object {
  const areHeaders = isObject(input) && (SIGNATURE in input || ("get" in input && "append" in input));
  if (isObject(input) && !areHeaders && ("headers" in input || "body" in input || isRequest(input))) return;
  if (isString(input) || viewOf(input)) {
    throw new WebhookVerificationError(
      "missing_header",
      "The headers are missing. Pass a Request or { body, headers } first, then the options: ({ body, headers }, { secret }).",
    );
  }
  if (!isObject(input)) {
    throw new WebhookVerificationError(
      "missing_header",
      "The request is missing. Pass a Request, or { body, headers } with all its headers: the signature alone isn't enough.",
    );
  }
  if (areHeaders) {
    throw new WebhookVerificationError(
      "missing_header",
      "The argument is the headers alone. Pass a Request or { body, headers } first, then the options: ({ body, headers }, { secret }).",
    );
  }
  throw new WebhookVerificationError(
    "body_already_parsed",
    `The argument is neither a Request nor { body, headers }. It looks like a parsed body, or wasn't awaited. ${PARSED}`,
  );
}

const tooLarge = (maxBodyBytes: number) =>
  new WebhookVerificationError(
    "body_too_large",
    `The body is larger than maxBodyBytes (${maxBodyBytes}). Raise it if your deliveries really are that large.`,
  );

/**
 * The raw body of a value that should be one.
 *
 * @throws {WebhookVerificationError} `body_already_parsed`, `body_too_large`; `no_match` if it isn't valid base64.
 */
export function readGivenBody(body: unknown, isBase64: boolean, maxBodyBytes: number): string | Uint8Array {
  const raw = !isString(body) ? viewOf(body) : isBase64 ? decodedText(body, maxBodyBytes) : body;
  if (raw === undefined) {
    const found =
      body === undefined || body === null
        ? "The raw body is missing."
        : `The body is ${Array.isArray(body) ? "an array" : `of type ${typeof body}`}, so it was parsed, or not awaited.`;
    throw new WebhookVerificationError("body_already_parsed", `${found} ${PARSED}`);
  }
  if (raw.length > maxBodyBytes) throw tooLarge(maxBodyBytes);
  // A UTF-16 unit takes one to three bytes, so most strings needn't be encoded to check their size.
  const mayBeTooLarge = isString(raw) && raw.length * 3 > maxBodyBytes;
  if (mayBeTooLarge && encoder.encode(raw).length > maxBodyBytes) throw tooLarge(maxBodyBytes);
  return raw;
}

function decodedText(body: string, maxBodyBytes: number): Uint8Array {
  if (body.length > 4 * Math.ceil(maxBodyBytes / 3)) throw tooLarge(maxBodyBytes);
  const bytes = decodeBase64(body);
  if (bytes) return bytes;
  throw new WebhookVerificationError(
    "no_match",
    "isBase64Encoded is true, but the body isn't valid base64. Set it only if the body is base64.",
  );
}

/**
 * Reads the body of a request: no more than `maxBodyBytes` of it, and no longer than `bodyTimeoutMs`.
 *
 * @throws {WebhookVerificationError} `body_already_parsed`, `body_too_large`, `body_too_slow`; `no_match` if the body
 * was cut off.
 */
export async function readRequestBody(
  request: Request,
  maxBodyBytes: number,
  bodyTimeoutMs: number,
): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked) {
    throw new WebhookVerificationError("body_already_parsed", `The request's body was already read. ${PARSED}`);
  }
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes);
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  try {
    return await within(
      bodyTimeoutMs,
      readAll(reader, maxBodyBytes),
      () =>
        new WebhookVerificationError(
          "body_too_slow",
          `The body didn't arrive within bodyTimeoutMs (${bodyTimeoutMs} ms). Raise it if your deliveries really take that long.`,
        ),
    );
  } catch (error) {
    void reader.cancel().catch(() => undefined);
    if (error instanceof WebhookVerificationError) throw error;
    throw new WebhookVerificationError("no_match", "The request's body was cut off before its end.", { cause: error });
  }
}

async function readAll(
  // A stream created in this process may contain strings.
  reader: ReadableStreamDefaultReader<string | Uint8Array<ArrayBuffer>>,
  maxBodyBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const chunk = typeof value === "string" ? encoder.encode(value) : value;
    length += chunk.byteLength;
    if (length > maxBodyBytes) throw tooLarge(maxBodyBytes);
    chunks.push(chunk);
  }
  const [first] = chunks;
  if (first?.byteLength === length) return first;
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
