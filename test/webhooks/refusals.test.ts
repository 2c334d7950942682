import { expect, test } from "vitest";
import { ConfigError, type VerifyOptions, type WebhookRefusal } from "../../src/webhooks/index.js";
import { reasonOf, refusal } from "./refusal.js";
import { SECRET, SENT_AT, sign } from "./vectors.js";

const BODY = '{"type":"x"}';
const signed = sign(BODY);
const headersWith = (changed: Record<string, unknown>) => ({ body: BODY, headers: { ...signed, ...changed } });
const signature = signed["webhook-signature"];

const missing = (name: string) =>
  `${name} is missing. A delivery carries webhook-id, webhook-timestamp and webhook-signature: pass all headers of the request, and let no proxy remove them.`;
const twice = (name: string) =>
  `${name} came more than once. A delivery carries it once: something between the service and this receiver adds to it.`;

test.each<[WebhookRefusal, string, unknown]>([
  [
    "missing_header",
    "There is no request. Pass a Request, or { body, headers } with all its headers: the signature alone is not enough.",
    signature,
  ],
  ["missing_header", missing("webhook-id"), { body: BODY }],
  ["missing_header", missing("webhook-timestamp"), headersWith({ "webhook-timestamp": null })],
  ["missing_header", missing("webhook-timestamp"), headersWith({ "webhook-timestamp": SENT_AT })],
  ["missing_header", missing("webhook-signature"), headersWith({ "webhook-signature": [7] })],
  ["duplicate_header", twice("webhook-id"), headersWith({ "webhook-id": ["msg_1", "msg_1"] })],
  ["duplicate_header", twice("webhook-signature"), headersWith({ "Webhook-Signature": signature })],
  [
    "ambiguous_id",
    "webhook-id holds a full stop, which separates the signed parts, so the signature could be moved to another body. The service sends no such id.",
    headersWith({ "webhook-id": "msg.1" }),
  ],
  [
    "bad_timestamp",
    "webhook-timestamp is not a whole number of seconds since 1970. Pass the header on unchanged.",
    headersWith({ "webhook-timestamp": "now" }),
  ],
  [
    "too_old",
    "webhook-timestamp is 301 s ago, the tolerance is 300 s. Verify on receipt, not later from a queue, and check this machine's clock.",
    { body: BODY, headers: sign(BODY, { timestamp: SENT_AT - 301 }) },
  ],
  [
    "too_new",
    "webhook-timestamp is 301 s in the future, the tolerance is 300 s. Check this machine's clock.",
    { body: BODY, headers: sign(BODY, { timestamp: SENT_AT + 301 }) },
  ],
  [
    "no_match",
    'webhook-signature holds no entry of the form "v1,<base64>". Pass the header on unchanged.',
    headersWith({ "webhook-signature": "v2,abc" }),
  ],
  [
    "no_match",
    "webhook-signature holds 33 signatures; more than 32 are not looked at.",
    headersWith({ "webhook-signature": `${"v1,x ".repeat(32)}${signature}` }),
  ],
  [
    "no_match",
    "webhook-signature is far longer than any real one.",
    headersWith({ "webhook-signature": `${signature} ${"x".repeat(65_536)}` }),
  ],
  [
    "no_match",
    "isBase64Encoded is true, but the body is no base64.",
    { body: "{}", headers: signed, isBase64Encoded: true },
  ],
  [
    "no_match",
    "No signature fits. Either the secret is not this subscription's (each has its own, and rotating replaces it), or the " +
      "body is not byte for byte what was sent: a proxy or JSON.stringify(JSON.parse(body)) changes it.",
    { body: `${BODY} `, headers: signed },
  ],
])("%s says what failed and what to do: %s", async (reason, message, input) => {
  expect(await refusal(input)).toMatchObject({ name: "WebhookVerificationError", reason, message });
});

const PARSED =
  "The signature covers the bytes that were sent, which a parsed body no longer has. " +
  'Express: put express.raw({ type: "application/json" }) on this route, ahead of express.json(). ' +
  "Fastify: register the route in a scope of its own, with removeAllContentTypeParsers() and " +
  'addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => done(null, body)). ' +
  "Koa: register the route ahead of the body parser. " +
  "Next.js: in a pages route export const config = { api: { bodyParser: false } }; in a route handler pass the Request and do not read it before. " +
  "NestJS: create the application with { rawBody: true }. Elsewhere: pass the body as text or bytes, before JSON.parse.";

test.each<[unknown, string]>([
  [undefined, "There is no body: nothing kept the raw one."],
  [null, "There is no body: nothing kept the raw one."],
  [{ type: "x" }, "The body is of type object, so it was parsed before it could be verified."],
  [[], "The body is an array, so it was parsed before it could be verified."],
  [5, "The body is of type number, so it was parsed before it could be verified."],
  [true, "The body is of type boolean, so it was parsed before it could be verified."],
])("the body %o is body_already_parsed: what is there instead, and each framework's way out", async (body, found) => {
  const error = await refusal({ body, headers: signed });
  expect(error).toMatchObject({ reason: "body_already_parsed", message: `${found} ${PARSED}` });
});

test("a request that was read before says so, with the same ways out", async () => {
  const request = new Request("http://localhost/", { method: "POST", body: BODY, headers: signed });
  await request.text();
  const message = `The request's body has been read already. ${PARSED}`;
  expect(await refusal(request)).toMatchObject({ reason: "body_already_parsed", message });
});

const TOLERANCE =
  "toleranceSeconds must be a finite number above 0. It cannot be switched off: a recorded delivery could then be " +
  "replayed for ever. Tests inject now instead.";
const QUOTES = "stands in quotes, as some environment files leave them. Remove them.";
const BASE64 =
  'is not standard base64 with padding, which secretEncoding: "base64" asks for. The service signs with the secret\'s ' +
  "text: leave secretEncoding out.";
const base64 = { secretEncoding: "base64" };

test.each<[string, object]>([
  [TOLERANCE, { toleranceSeconds: 0 }],
  [TOLERANCE, { toleranceSeconds: Number.POSITIVE_INFINITY }],
  [TOLERANCE, { toleranceSeconds: "300" }],
  ["maxBodyBytes must be a finite number above 0.", { maxBodyBytes: -1 }],
  ["now must be a function that returns milliseconds since 1970.", { now: SENT_AT }],
  ["now returned no number.", { now: () => Number.NaN }],
  ["now returned no number.", { now: () => 1n }],
  ['secretEncoding must be "auto", "text" or "base64".', { secretEncoding: "hex" }],
  ["Pass secret or secrets, not both: secrets takes the new and the old one.", { secrets: [SECRET] }],
  ["secrets must be a list with at least one secret.", { secret: undefined, secrets: [] }],
  ["secrets must be a list with at least one secret.", { secret: undefined, secrets: SECRET }],
  [
    "secrets[0] must be the secret as text, or its bytes as a Uint8Array.",
    { secret: undefined, secrets: new Array(1) },
  ],
  [`secrets[1] ${QUOTES}`, { secret: undefined, secrets: [SECRET, '"b"'] }],
  ["secret is empty. Pass the secret that creating or rotating the webhook subscription returned.", { secret: "" }],
  ["secret must be the secret as text, or its bytes as a Uint8Array.", { secret: 7 }],
  ["secret holds no bytes.", { secret: new Uint8Array() }],
  [`secret ${QUOTES}`, { secret: "'a'\n" }],
  ["secret has spaces or a line break around it, as copying often leaves them. Remove them.", { secret: "a " }],
  [
    'secret begins with "v1,", which marks a signature\'s version and is no part of the secret. Pass what follows the comma.',
    { secret: "v1a,whsec_x" },
  ],
  ['secret is the prefix "whsec_" and nothing else. Pass the whole secret.', { secret: "whsec_" }],
  ["secret holds a control character. Copy it again.", { secret: "a\u0000b" }],
  ["secret is not valid Unicode text. Copy it again.", { secret: "a\ud800" }],
  // No length that base64 can have, a spelling that is not the canonical one, and no base64 at all.
  [`secret ${BASE64}`, { ...base64, secret: "whsec_abcde" }],
  [`secret ${BASE64}`, { ...base64, secret: "whsec_QR==" }],
  [`secret ${BASE64}`, { ...base64, secret: "no base64" }],
])("an option that is not usable is a ConfigError: %s", async (message, options) => {
  // Options that no type allows: JavaScript may pass them.
  const error = await refusal({ body: BODY, headers: signed }, options as VerifyOptions);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toMatchObject({ message });
});

test.each(['a"b"', '"a"b', "it's", "xv1,abc", "\u00e4\u00f6"])(
  "the secret %j is usable: what only holds quotes or a mark somewhere inside is not taken for one",
  async (secret) => {
    expect(await reasonOf({ body: BODY, headers: sign(BODY, { secret }) }, { secret })).toBeUndefined();
  },
);

test("the environment's secret is named by its variable, and where nobody may read the environment there is none", async () => {
  const { env } = process;
  /** What a verification without a secret ends with in an environment. A secret is looked for at once. */
  const refusalIn = (environment: object | undefined) => {
    Object.assign(process, { env: environment });
    const ended = refusal({ body: BODY, headers: signed }, { secret: undefined });
    Object.assign(process, { env });
    return ended;
  };
  expect(await refusalIn({ SVC_WEBHOOK_SECRET: SECRET })).toBeUndefined();
  expect(await refusalIn({ SVC_WEBHOOK_SECRET: "`a`" })).toMatchObject({ message: `SVC_WEBHOOK_SECRET ${QUOTES}` });
  const locked = new Proxy(
    {},
    {
      get() {
        throw new Error("Requires env access");
      },
    },
  );
  const message = "There is no secret: pass secret or set SVC_WEBHOOK_SECRET.";
  for (const environment of [{}, undefined, locked]) {
    expect(await refusalIn(environment)).toMatchObject({ name: "ConfigError", message });
  }
});
