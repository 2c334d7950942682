import { expect, test } from "vitest";
import {
  ConfigError,
  type VerifyOptions,
  verifyWebhook,
  type WebhookRejectionReason,
} from "../../src/webhooks/index.js";
import { errorOf, reasonOf } from "./rejection.js";
import { SECRET, SENT_AT, sign } from "./vectors.js";

const BODY = '{"type":"x"}';
const signed = sign(BODY);
const headersWith = (changed: Record<string, unknown>) => ({ body: BODY, headers: { ...signed, ...changed } });
const signature = signed["webhook-signature"];

const missing = (name: string) =>
  `verifyWebhook: ${name} is missing. A delivery has webhook-id, webhook-timestamp and webhook-signature: pass all headers of the request, and don't let a proxy remove any.`;
const twice = (name: string) =>
  `verifyWebhook: ${name} came more than once. A delivery has it once: find what adds to it between the service and this receiver.`;

test.each<[WebhookRejectionReason, string, unknown]>([
  [
    "missing_header",
    "The request is missing. Pass a Request, or { body, headers } with all its headers: the signature alone isn't enough.",
    undefined,
  ],
  [
    "missing_header",
    "The headers are missing. Pass a Request or { body, headers } first, then the options: ({ body, headers }, { secret }).",
    BODY,
  ],
  [
    "missing_header",
    "The headers are missing. Pass a Request or { body, headers } first, then the options: ({ body, headers }, { secret }).",
    new TextEncoder().encode(BODY),
  ],
  ["missing_header", missing("webhook-id"), { body: BODY }],
  ["missing_header", missing("webhook-timestamp"), headersWith({ "webhook-timestamp": null })],
  ["missing_header", missing("webhook-timestamp"), headersWith({ "webhook-timestamp": SENT_AT })],
  ["missing_header", missing("webhook-signature"), headersWith({ "webhook-signature": [7] })],
  ["duplicate_header", twice("webhook-id"), headersWith({ "webhook-id": ["msg_1", "msg_1"] })],
  ["duplicate_header", twice("webhook-signature"), headersWith({ "Webhook-Signature": signature })],
  [
    "ambiguous_id",
    "webhook-id contains a period, which separates the signed parts, so the signature could be moved to another body. The service sends no such id.",
    headersWith({ "webhook-id": "msg.1" }),
  ],
  [
    "bad_timestamp",
    "webhook-timestamp isn't an integer number of seconds since 1970. Pass the header on unchanged.",
    headersWith({ "webhook-timestamp": "now" }),
  ],
  [
    "too_old",
    "webhook-timestamp is 301 s ago, and the tolerance is 300 s. Verify on receipt, not later from a queue, and check this machine's clock. In a test, pass the emulator's clock: now: () => emulator.clock.now().",
    { body: BODY, headers: sign(BODY, { timestamp: SENT_AT - 301 }) },
  ],
  [
    "too_new",
    "webhook-timestamp is 301 s in the future, and the tolerance is 300 s. Check this machine's clock. In a test, pass the emulator's clock: now: () => emulator.clock.now().",
    { body: BODY, headers: sign(BODY, { timestamp: SENT_AT + 301 }) },
  ],
  [
    "no_match",
    'webhook-signature contains no entry of the form "v1,<base64>". Pass the header on unchanged.',
    headersWith({ "webhook-signature": "v2,abc" }),
  ],
  [
    "no_match",
    "webhook-signature contains 33 signatures. At most 32 are accepted.",
    headersWith({ "webhook-signature": `${"v1,x ".repeat(32)}${signature}` }),
  ],
  [
    "no_match",
    "webhook-signature is far longer than any real one. Pass the header on unchanged.",
    headersWith({ "webhook-signature": `${signature} ${"x".repeat(65_536)}` }),
  ],
  [
    "no_match",
    "isBase64Encoded is true, but the body isn't valid base64. Set it only if the body is base64.",
    { body: "{}", headers: signed, isBase64Encoded: true },
  ],
  [
    "no_match",
    "No signature matches. Either the secret isn't this subscription's (each has its own, and rotating replaces it), or the " +
      "body isn't byte for byte what was sent: a proxy or JSON.stringify(JSON.parse(body)) changes it.",
    { body: `${BODY} `, headers: signed },
  ],
])("rejects with %s and says what to do: %s", async (reason, message, input) => {
  const named = message.startsWith("verifyWebhook: ") ? message : `verifyWebhook: ${message}`;
  expect(await errorOf(input)).toMatchObject({ name: "WebhookVerificationError", reason, message: named });
});

const PARSED =
  "The signature covers the bytes that were sent, which a parsed body no longer contains. " +
  'Express: put express.raw({ type: "application/json" }) on this route, before express.json(). ' +
  "Fastify: register the route in its own scope, with removeAllContentTypeParsers() and " +
  'addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => done(null, body)). ' +
  "Koa: register the route before the body parser. " +
  "Next.js: in a pages route export const config = { api: { bodyParser: false } }; in a route handler pass the Request without reading it first. " +
  "NestJS: create the application with { rawBody: true }. Otherwise: pass the body as a string or bytes, before JSON.parse.";

test.each<[unknown, string]>([
  [undefined, "The raw body is missing."],
  [null, "The raw body is missing."],
  [{ type: "x" }, "The body is of type object, so it was parsed, or not awaited."],
  [Promise.resolve(BODY), "The body is of type object, so it was parsed, or not awaited."],
  [[], "The body is an array, so it was parsed, or not awaited."],
  [5, "The body is of type number, so it was parsed, or not awaited."],
  [true, "The body is of type boolean, so it was parsed, or not awaited."],
])(
  "rejects the body %o as body_already_parsed, with its type and the solution for each framework",
  async (body, found) => {
    const error = await errorOf({ body, headers: signed });
    expect(error).toMatchObject({ reason: "body_already_parsed", message: `verifyWebhook: ${found} ${PARSED}` });
  },
);

test.each([[JSON.parse(BODY)], [Promise.resolve(new Request("http://localhost/"))], [{}]])(
  "rejects the argument %o as body_already_parsed, with the same solutions",
  async (input) => {
    const message = `verifyWebhook: The argument is neither a Request nor { body, headers }. It looks like a parsed body, or wasn't awaited. ${PARSED}`;
    expect(await errorOf(input)).toMatchObject({ reason: "body_already_parsed", message });
  },
);

test("explains the arguments if the body, the headers and the secret are passed apart", async () => {
  // The types forbid these arguments, but JavaScript can pass them.
  const verify = verifyWebhook as (...args: unknown[]) => Promise<unknown>;
  for (const headers of [signed, new Headers(signed)]) {
    await expect(verify(BODY, headers, SECRET)).rejects.toMatchObject({
      reason: "missing_header",
      message: expect.stringContaining("({ body, headers }, { secret })"),
    });
    await expect(verify(JSON.parse(BODY), headers, SECRET)).rejects.toMatchObject({ reason: "body_already_parsed" });
  }
});

test("rejects a request that was already read as body_already_parsed, with the same solutions", async () => {
  const request = new Request("http://localhost/", { method: "POST", body: BODY, headers: signed });
  await request.text();
  const message = `verifyWebhook: The request's body was already read. ${PARSED}`;
  expect(await errorOf(request)).toMatchObject({ reason: "body_already_parsed", message });
});

const TOLERANCE =
  "toleranceSeconds must be a finite number above 0. It can't be disabled, because a recorded delivery could then be " +
  "replayed forever. In tests, inject now instead.";
const QUOTES = "is in quotes, as some environment files leave them. Remove them.";
const BASE64 =
  "isn't standard base64 with padding, which secretEncoding: \"base64\" requires. The service signs with the secret's " +
  "text: omit secretEncoding.";
const base64 = { secretEncoding: "base64" };

test.each<[string, object]>([
  [TOLERANCE, { toleranceSeconds: 0 }],
  [TOLERANCE, { toleranceSeconds: Number.POSITIVE_INFINITY }],
  [TOLERANCE, { toleranceSeconds: "300" }],
  ["maxBodyBytes must be a finite number above 0.", { maxBodyBytes: -1 }],
  ["now must be a function that returns milliseconds since 1970.", { now: SENT_AT }],
  ["now must return milliseconds since 1970.", { now: () => Number.NaN }],
  ["now must return milliseconds since 1970.", { now: () => 1n }],
  ['secretEncoding must be "auto" or "text" or "base64".', { secretEncoding: "hex" }],
  ["secret and secrets can't be combined. Pass both secrets in secrets.", { secrets: [SECRET] }],
  ["secrets must be an array with at least one secret.", { secret: undefined, secrets: [] }],
  ["secrets must be an array with at least one secret.", { secret: undefined, secrets: SECRET }],
  [
    "secrets[0] must be the secret as a string, or its bytes as a Uint8Array.",
    { secret: undefined, secrets: new Array(1) },
  ],
  [`secrets[1] ${QUOTES}`, { secret: undefined, secrets: [SECRET, '"b"'] }],
  ["secret is empty. Pass the secret that creating or rotating the webhook subscription returned.", { secret: "" }],
  ["secret must be the secret as a string, or its bytes as a Uint8Array.", { secret: 7 }],
  ["secret contains no bytes. Pass the whole secret.", { secret: new Uint8Array() }],
  [`secret ${QUOTES}`, { secret: "'a'\n" }],
  ["secret has spaces or a line break around it, often from copying. Remove them.", { secret: "a " }],
  [
    "secret starts with \"v1,\", which marks a signature's version and isn't part of the secret. Pass what follows the comma.",
    { secret: "v1a,whsec_x" },
  ],
  [
    "secret starts with ak_, so it's an API key. Pass the webhook subscription's secret.",
    { secret: "ak_live_1234567890" },
  ],
  [
    "secrets[1] starts with oak_, so it's an API key. Pass the webhook subscription's secret.",
    { secret: undefined, secrets: [SECRET, "oak_live_1234567890"] },
  ],
  ['secret is only the prefix "whsec_". Pass the whole secret.', { secret: "whsec_" }],
  ["secret contains a control character. Copy it again.", { secret: "a\u0000b" }],
  ["secret isn't valid Unicode. Copy it again.", { secret: "a\ud800" }],
  // An impossible length, an encoding that isn't canonical, and a string that isn't base64 at all.
  [`secret ${BASE64}`, { ...base64, secret: "whsec_abcde" }],
  [`secret ${BASE64}`, { ...base64, secret: "whsec_QR==" }],
  [`secret ${BASE64}`, { ...base64, secret: "not base64" }],
])("throws a ConfigError if an option isn't usable: %s", async (message, options) => {
  // The types forbid these options, but JavaScript can pass them.
  const error = await errorOf({ body: BODY, headers: signed }, options as VerifyOptions);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toMatchObject({ message: `verifyWebhook: ${message}` });
});

test.each(['a"b"', '"a"b', "it's", "xv1,abc", "\u00e4\u00f6"])(
  "accepts the secret %j, which only contains quotes or a version mark inside",
  async (secret) => {
    expect(await reasonOf({ body: BODY, headers: sign(BODY, { secret }) }, { secret })).toBeUndefined();
  },
);

test("names the environment variable in errors, and has no secret if the environment can't be read", async () => {
  const { env } = process;
  /** The error of a verification without a secret in an environment. The environment is read synchronously. */
  const errorIn = (environment: object | undefined) => {
    Object.assign(process, { env: environment });
    const ended = errorOf({ body: BODY, headers: signed }, { secret: undefined });
    Object.assign(process, { env });
    return ended;
  };
  expect(await errorIn({ SVC_WEBHOOK_SECRET: SECRET })).toBeUndefined();
  expect(await errorIn({ SVC_WEBHOOK_SECRET: "`a`" })).toMatchObject({
    message: `verifyWebhook: SVC_WEBHOOK_SECRET ${QUOTES}`,
  });
  const locked = new Proxy(
    {},
    {
      get() {
        throw new Error("Requires env access");
      },
    },
  );
  const message = "verifyWebhook: No secret. Pass secret or set SVC_WEBHOOK_SECRET.";
  for (const environment of [{}, undefined, locked]) {
    expect(await errorIn(environment)).toMatchObject({ name: "ConfigError", message });
  }
});
