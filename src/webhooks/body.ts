import { WebhookVerificationError } from "../errors/webhook.js";
import { isText } from "../json.js";
import { bytesOf, decodeBase64, viewOf } from "./text.js";
import { within } from "./within.js";

const PARSED =
  "The signature covers the bytes that were sent, which a parsed body no longer has. " +
  'Express: put express.raw({ type: "application/json" }) on this route, ahead of express.json(). ' +
  "Fastify: register the route in a scope of its own, with removeAllContentTypeParsers() and " +
  'addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => done(null, body)). ' +
  "Koa: register the route ahead of the body parser. " +
  "Next.js: in a pages route export const config = { api: { bodyParser: false } }; in a route handler pass the Request and do not read it before. " +
  "NestJS: create the application with { rawBody: true }. Elsewhere: pass the body as text or bytes, before JSON.parse.";

/** The refusal for a body whose bytes are gone. `found` says what is there instead. */
function alreadyParsed(found: string): WebhookVerificationError {
  return new WebhookVerificationError("body_already_parsed", `${found} ${PARSED}`);
}

/** The refusal for a body above the bound. */
function tooLarge(maxBodyBytes: number): WebhookVerificationError {
  return new WebhookVerificationError(
    "body_too_large",
    `The body is larger than maxBodyBytes (${maxBodyBytes}). Raise it if your deliveries really are that large.`,
  );
}

/** The rejection of a body that trickles. */
function tooSlow(bodyTimeoutMs: number): WebhookVerificationError {
  return new WebhookVerificationError(
    "body_too_slow",
    `The body did not arrive within bodyTimeoutMs (${bodyTimeoutMs} ms). Raise it if your deliveries really take that long.`,
  );
}

/**
 * The raw body of a value that should be one.
 *
 * @throws {WebhookVerificationError} `body_already_parsed`, `body_too_large`; `no_match` for base64 that is none.
 */
export function readGivenBody(body: unknown, isBase64: boolean, maxBodyBytes: number): string | Uint8Array {
  const raw = !isText(body) ? viewOf(body) : isBase64 ? decoded(body, maxBodyBytes) : body;
  if (raw === undefined) {
    throw alreadyParsed(
      body === undefined || body === null
        ? "There is no body: nothing kept the raw one."
        : `The body is ${Array.isArray(body) ? "an array" : `of type ${typeof body}`}, so it was parsed before it could be verified.`,
    );
  }
  // A UTF-16 unit takes one to three bytes, so most texts need no counting.
  const isTooLarge = raw.length > maxBodyBytes || (raw.length * 3 > maxBodyBytes && bytesOf(raw).length > maxBodyBytes);
  if (isTooLarge) throw tooLarge(maxBodyBytes);
  return raw;
}

function decoded(body: string, maxBodyBytes: number): Uint8Array {
  if (body.length > 4 * Math.ceil(maxBodyBytes / 3)) throw tooLarge(maxBodyBytes);
  const bytes = decodeBase64(body);
  if (bytes) return bytes;
  throw new WebhookVerificationError("no_match", "isBase64Encoded is true, but the body is no base64.");
}

/** Limits of reading a request's body. */
export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly bodyTimeoutMs: number;
}

/**
 * Reads the body of a request: no more than `maxBodyBytes` of it, and no longer than `bodyTimeoutMs`.
 *
 * @throws {WebhookVerificationError} `body_already_parsed`, `body_too_large`, `body_too_slow`; `no_match` when the body broke
 * off.
 */
export async function readRequestBody(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const { maxBodyBytes, bodyTimeoutMs } = limits;
  if (request.bodyUsed || request.body?.locked) throw alreadyParsed("The request's body has been read already.");
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes);
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  try {
    return await within(bodyTimeoutMs, readAll(reader, maxBodyBytes), () => tooSlow(bodyTimeoutMs));
  } catch (error) {
    void reader.cancel().catch(() => undefined);
    if (error instanceof WebhookVerificationError) throw error;
    throw new WebhookVerificationError("no_match", "The request's body broke off before its end.", { cause: error });
  }
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  maxBodyBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    // A stream that was made in this process may hold texts.
    const chunk = bytesOf(value);
    length += chunk.byteLength;
    if (length > maxBodyBytes) throw tooLarge(maxBodyBytes);
    chunks.push(chunk);
  }
  const [first] = chunks;
  if (first?.byteLength === length) return first;
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
