import { describe, expect, test } from "vitest";
import { RateLimitError, ResponseError } from "../../../src/index.js";
import { clientOf, rejectionOf, send } from "../../support/client.js";
import { scriptedFetch } from "../../support/scripted-fetch.js";

/** What the client tells about a response with these headers. */
async function metaOf(headers: Record<string, string>) {
  const { meta } = await send(clientOf(scriptedFetch(Response.json({ ok: true }, { headers })))).withResponse();
  return meta;
}

const none = { limit: undefined, remaining: undefined, windowMs: undefined };

describe("the rate limit that a response reports", () => {
  test.each([
    [{ "x-ratelimit": "10" }, { ...none, limit: 10 }],
    [{ "x-ratelimit-remaining": "0" }, { ...none, remaining: 0 }],
    [{ "x-ratelimit-window-size": "60s" }, { ...none, windowMs: 60_000 }],
    [{ "x-ratelimit-window-size": "60" }, { ...none, windowMs: 60_000 }],
    [{ "x-ratelimit": "9".repeat(15) }, { ...none, limit: 999_999_999_999_999 }],
    [{ "x-ratelimit-window-size": "9".repeat(9) }, { ...none, windowMs: 999_999_999_000 }],
  ])("reads each header independently: %o", async (headers, said) => {
    expect((await metaOf(headers)).rateLimit).toEqual(said);
  });

  test.each(["", "many", "-1", "1.5", "1e3", "10x", "x10", "10, 10", "9".repeat(16)])(
    "is undefined if a header isn't a number: %j",
    async (text) => {
      const headers = { "x-ratelimit": text, "x-ratelimit-remaining": text, "x-ratelimit-window-size": text };
      expect((await metaOf(headers)).rateLimit).toBeUndefined();
    },
  );

  test.each(["60ss", "60 s", "60m", "s", "9".repeat(10)])("has no window of %j", async (text) => {
    expect((await metaOf({ "x-ratelimit-window-size": text })).rateLimit).toBeUndefined();
  });
});

test("the request id comes from the header, if it has one", async () => {
  expect((await metaOf({ "x-request-id": "req_1" })).requestId).toBe("req_1");
  expect((await metaOf({})).requestId).toBeUndefined();
});

test("a content type in a message is cut after 100 characters", async () => {
  const answer = new Response("OK", { headers: { "content-type": `text/${"x".repeat(96)}` } });
  const error = await rejectionOf(ResponseError, send(clientOf(scriptedFetch(answer))));
  expect(error.message).toMatch(/: its content type is text\/x{95}\.$/);
});

describe("a 429 of the service itself", () => {
  const limited = (body: string, headers: Record<string, string> = {}) =>
    rejectionOf(
      RateLimitError,
      send(clientOf(scriptedFetch(new Response(body, { status: 429, headers })), { maxRetries: 0 }), "effect"),
    );

  test.each<[string, string, Record<string, string>]>([
    ["with Retry-After", "", { "retry-after": "1" }],
    ["with Retry-After-Ms", "", { "retry-after-ms": "1" }],
    ["with a message and Retry-After", '{"message":"Rate limit exceeded"}', { "retry-after": "1" }],
    ["with a message and window headers", '{"message":"Rate limit exceeded"}', { "x-ratelimit-remaining": "0" }],
  ])("proves that nothing ran: %s", async (_, body, headers) => {
    expect(await limited(body, headers)).toMatchObject({ isServiceLimit: true, outcome: "rejected" });
  });

  test.each(["", '{"message":"m"}'])("%j proves nothing without Retry-After or rate limit headers", async (body) => {
    expect(await limited(body)).toMatchObject({ isServiceLimit: false, outcome: "unknown" });
  });

  test.each([
    "slow down",
    "null",
    '"message"',
    '["message"]',
    "{}",
    '{"message":"m","code":1}',
    '{"message":7}',
    '{"message":"m"',
    '{"message":"m"} {}',
    '{"error":{"message":"m"},"request_id":"r"}',
    '{"data":{},"successful":false,"error":"text","log_id":"log_1"}',
    '{"message":"m","documentation_url":"https://docs.example.com"}',
    '{"error":"text"}',
    '{"errors":["text"]}',
    " ",
  ])("is told apart from a provider's 429: %j", async (body) => {
    const asking = { "retry-after": "1", "x-ratelimit-remaining": "0" };
    expect(await limited(body, asking)).toMatchObject({ isServiceLimit: false, outcome: "unknown" });
  });

  test("an empty body that ends with the connection proves nothing", async () => {
    const open = { "retry-after": "1", connection: "close" };
    expect(await limited("", open)).toMatchObject({ isServiceLimit: false, outcome: "unknown" });
    expect(await limited("", { ...open, "content-length": "0" })).toMatchObject({ outcome: "rejected" });
  });
});
