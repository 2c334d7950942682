import { describe, expect, test } from "vitest";
import { ConfigError } from "../../src/index.js";
import { createReceiver, verifyWebhook, WebhookVerificationError } from "../../src/webhooks/index.js";
import { toNodeHandler } from "../../src/webhooks/node.js";
import { rejectionOf } from "../support/client.js";

/** The types forbid these arguments, but JavaScript can pass them. */
const verify = verifyWebhook as (...args: unknown[]) => Promise<unknown>;
const body = "{}";
const headers = {
  "webhook-id": "msg_1",
  "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
  "webhook-signature": "v1,a",
};
const secret = "whsec_abc";

const FORM = "Pass a Request or { body, headers } first, then the options: ({ body, headers }, { secret }).";

describe("verifyWebhook says what was meant by", () => {
  test.each<[string, readonly unknown[], string]>([
    ["body, headers and secret apart", [body, headers, secret], `The headers are missing. ${FORM}`],
    ["bytes, headers and secret apart", [Buffer.from(body), headers, secret], `The headers are missing. ${FORM}`],
    ["the headers first", [headers, body, secret], `The argument is the headers alone. ${FORM}`],
    ["a Headers object first", [new Headers(headers), { secret }], `The argument is the headers alone. ${FORM}`],
    ["a parsed body", [{ id: "msg_1" }, headers, secret], "It looks like a parsed body, or wasn't awaited."],
    ["a parsed body with headers", [{ body: {}, headers }, { secret }], "The body is of type object, so it was parsed"],
  ])("%s", async (_mistake, args, message) => {
    const error = await rejectionOf(WebhookVerificationError, verify(...args));
    expect(error.message).toContain("verifyWebhook: ");
    expect(error.message).toContain(message);
  });

  test.each(["ak_1", "uak_1", "oak_1"])("the API key %s as secret", async (key) => {
    const message = `secret starts with ${key.slice(0, -1)}, so it's an API key. Pass the webhook subscription's secret.`;
    const error = await rejectionOf(ConfigError, verify({ body, headers }, { secret: key }));
    expect(error.message).toContain(message);
    expect(() => createReceiver({ secret: key, on: {}, onUnhandled: () => undefined })).toThrow(message);
  });
});

test("a handler of Node servers says how to mount it if an event of h3 comes without a response", async () => {
  const receiver = createReceiver({ secret, on: {}, onUnhandled: () => undefined, onError: () => undefined });
  const handle = toNodeHandler(receiver) as (...args: unknown[]) => Promise<void>;
  const error = await rejectionOf(ConfigError, handle({ node: { req: {}, res: {} }, path: "/webhooks" }));
  expect(error.message).toContain("In h3 1, mount fromNodeMiddleware(toNodeHandler(receiver)), or pass toWebRequest");
});
