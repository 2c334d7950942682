import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  MissingCredentialError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  SvcError,
  TimeoutError,
  UnprocessableEntityError,
} from "../../src/index.js";
import { clientOf, rejectionOf, send } from "../support/client.js";
import { codePoints } from "../support/code-points.js";
import { scriptedFetch, silence } from "../support/scripted-fetch.js";
import { sized } from "../support/size.js";

/** The error of a call that is answered with this. */
function errorOf(status: number, body: BodyInit | null, headers: Record<string, string> = {}): Promise<ApiError> {
  const fetch = scriptedFetch(new Response(body, { status, headers }));
  return rejectionOf(ApiError, send(clientOf(fetch, { maxRetries: 0 })));
}

describe("the class of an error", () => {
  test.each([
    [400, BadRequestError, "BadRequestError"],
    [401, AuthenticationError, "AuthenticationError"],
    [403, PermissionDeniedError, "PermissionDeniedError"],
    [404, NotFoundError, "NotFoundError"],
    [409, ConflictError, "ConflictError"],
    [422, UnprocessableEntityError, "UnprocessableEntityError"],
    [429, RateLimitError, "RateLimitError"],
    [500, ServerError, "ServerError"],
    [503, ServerError, "ServerError"],
    [599, ServerError, "ServerError"],
    [402, ApiError, "ApiError"],
    [410, ApiError, "ApiError"],
    [418, ApiError, "ApiError"],
  ])("a %i has the class %o", async (status, ErrorClass, name) => {
    const error = await errorOf(status, JSON.stringify({ error: { message: "m", status } }));
    expect(error).toBeInstanceOf(ErrorClass);
    expect(error).toBeInstanceOf(SvcError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name, status });
    expect(error instanceof RateLimitError).toBe(status === 429);
  });

  test("depends on the HTTP status, not on the body", async () => {
    const error = await errorOf(404, JSON.stringify({ error: { message: "m", status: 200, code: 10500 } }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.status).toBe(404);
  });
});

const full = {
  message: "Tool X not found",
  code: 2401,
  slug: "Tool_ToolNotFound",
  status: 404,
  request_id: "req_1",
  suggested_fix: "Look at tools.list()",
  errors: ["params.tool_slug: unknown"],
};

describe("every shape of an error body is read", () => {
  const nothing = { code: undefined, errorSlug: undefined, requestId: undefined, suggestedFix: undefined, errors: [] };
  const { slug: _, ...withoutSlug } = full;
  const readFull = { code: 2401, requestId: "req_1", suggestedFix: full.suggested_fix, errors: full.errors };
  const html = "<!doctype html><title>502 Bad Gateway</title>";

  test.each<[string, string | null, object, string]>([
    ["1 the envelope", JSON.stringify({ error: full }), { ...readFull, errorSlug: full.slug }, "Tool X not found"],
    [
      "2 without a slug",
      JSON.stringify({ error: withoutSlug }),
      { ...readFull, errorSlug: undefined },
      "Tool X not found",
    ],
    [
      "3 with error_code",
      '{"error":{"message":"Validation error","error_code":10400,"suggested_fix":"fix","errors":["a","b"]}}',
      { ...nothing, code: 10400, suggestedFix: "fix", errors: ["a", "b"] },
      "Validation error (a; b). fix.",
    ],
    [
      "4 with a text code",
      '{"error":{"code":"OriginMismatch","message":"Not the same origin","suggestedFix":"Use its own"}}',
      { ...nothing, code: "OriginMismatch", errorSlug: "OriginMismatch", suggestedFix: "Use its own" },
      "Not the same origin. Use its own.",
    ],
    ["5 a bare message", '{"message":"Slow down"}', nothing, "Slow down"],
    ["6 flat", '{"message":"Old","code":42,"status":400}', { ...nothing, code: 42 }, "Old"],
    ["6 flat with a text error", '{"error":"Old text"}', nothing, "Old text"],
    ["6 flat with a text error beside a null", '{"error":"Quota used up","message":null}', nothing, "Quota used up"],
    ["6 flat with both", '{"error":"Conflict","message":"Already there"}', nothing, "Already there"],
    ["the envelope beside a text", '{"error":{"message":"Inner"},"message":"Outer"}', nothing, "Inner"],
    ["7 an empty object", "{}", { ...nothing, body: {} }, "no readable error body"],
    ["8 HTML", html, { ...nothing, body: html }, "an HTML page instead of the API's JSON"],
    ["9 nothing", null, { ...nothing, body: undefined }, "no readable error body"],
    ["9 blanks", " \n", { ...nothing, body: undefined }, "no readable error body"],
    ["10 a truncated envelope", '{"error":{"message":"cut', { ...nothing, body: '{"error":{"message":"cut' }, "cut"],
    ["plain text", "upstream connect error", { ...nothing, body: "upstream connect error" }, "upstream connect error"],
    [
      "encoded twice",
      JSON.stringify(JSON.stringify({ error: full })),
      { ...readFull, errorSlug: full.slug },
      "Tool X not found",
    ],
    ["an empty suggested fix", '{"error":{"message":"m","suggested_fix":""}}', nothing, "m"],
    [
      "nulls",
      '{"error":{"message":null,"code":null,"slug":null,"request_id":null,"errors":null}}',
      nothing,
      "no readable",
    ],
    ["an empty error and a message beside it", '{"error":{},"message":"beside"}', nothing, "beside"],
    ["null", "null", { ...nothing, body: null }, "no readable error body"],
    ["a number", "42", { ...nothing, body: 42 }, "no readable error body"],
    ["an array", '["a"]', { ...nothing, body: ["a"] }, "no readable error body"],
    [
      "objects for texts",
      '{"error":{"message":{"a":1},"code":{},"slug":[],"errors":[{"b":2},"c"]}}',
      { ...nothing, errors: ["c"] },
      "(c)",
    ],
    ["6 flat with an error that is no text", '{"error":7}', { ...nothing, body: { error: 7 } }, "no readable"],
    ["a blank code beside error_code", '{"error":{"code":"","error_code":5}}', { ...nothing, code: 5 }, "no readable"],
    ["8 HTML after blanks", ` \n${html}`, { ...nothing, body: ` \n${html}` }, "an HTML page instead of the API's JSON"],
    ["plain text with a mark in it", "no <upstream>", { ...nothing, body: "no <upstream>" }, "400 no <upstream>."],
    ["plain text between blanks", " gone \n", { ...nothing, body: " gone \n" }, "400 gone."],
    ["a text as JSON", '"Gone"', { ...nothing, body: "Gone" }, "400 Gone."],
    ["a number as a JSON text", '"42"', { ...nothing, body: "42" }, "400 42."],
    ["an empty text as JSON", '""', { ...nothing, body: "" }, "no readable error body"],
    ["blanks as a JSON text", '"  "', { ...nothing, body: "  " }, "no readable error body"],
  ])("%s", async (_, body, fields, message) => {
    const error = await errorOf(400, body, { "content-type": "application/octet-stream" });
    expect(error).toMatchObject({ status: 400, ...fields });
    expect(error.message).toContain(message);
    expect(error.message).toMatch(/^probe\.safe: 400 /);
    expect(error.message).not.toContain("[object Object]");
  });

  test("any body, JSON or not, becomes a typed error with the status and a readable message of limited length", async () => {
    const anyBody = fc.oneof(
      fc.json(),
      codePoints(),
      fc
        .record({ error: fc.jsonValue(), message: fc.jsonValue(), code: fc.jsonValue() })
        .map((body) => JSON.stringify(body)),
      fc
        .dictionary(
          fc.constantFrom(
            "message",
            "code",
            "error_code",
            "slug",
            "request_id",
            "suggested_fix",
            "errors",
            "__proto__",
          ),
          fc.oneof(fc.jsonValue(), fc.array(fc.string()), fc.string()),
        )
        .map((error) => JSON.stringify({ error })),
    );
    const anyStatus = fc.constantFrom(400, 401, 403, 404, 409, 410, 422, 429, 500, 503);
    await fc.assert(
      fc.asyncProperty(anyBody, anyStatus, async (body, status) => {
        fc.pre(!body.includes("[object Object]"));
        const error = await errorOf(status, body);
        expect(error.status).toBe(status);
        expect(error.message).not.toContain("[object Object]");
        expect(error.message.length).toBeLessThan(5_000);
        expect(error.errors.every((entry) => typeof entry === "string")).toBe(true);
        expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: error.name, status });
        expect(inspect(error)).toContain(String(status));
        expect(Object.getPrototypeOf({})).toBe(Object.prototype);
      }),
      { numRuns: sized(30, 300) },
    );
  });

  test("messages stay short if the body is huge, and 16 KiB of a body that isn't JSON are kept", async () => {
    const huge = "x".repeat(100_000);
    expect((await errorOf(500, huge)).message).toBe(`probe.safe: 500 ${"x".repeat(200)}.`);
    expect((await errorOf(500, huge)).body).toHaveLength(16_384);
    const fields = { message: huge, slug: huge, request_id: huge, suggested_fix: huge, errors: [huge, huge] };
    expect((await errorOf(500, JSON.stringify({ error: fields }))).message.length).toBeLessThan(5_000);
  });

  test("a body nested 60,000 levels deep is an error like any other, and can be logged", async () => {
    const deep = `{"error":{"message":"deep","errors":${"[".repeat(60_000)}${"]".repeat(60_000)}}}`;
    const error = await errorOf(400, deep);
    expect(error.message).toContain("deep");
    expect(JSON.stringify(error)).toContain("deep");
  });
});

describe("the fields of an error", () => {
  test("the request id comes from the body, otherwise from a header, and is in the message", async () => {
    const inBody = await errorOf(500, '{"error":{"message":"m","request_id":"req_body"}}', {
      "x-request-id": "req_head",
    });
    expect(inBody.requestId).toBe("req_body");
    expect(inBody.message).toBe("probe.safe: 500 m. [request req_body]");
    const inHeader = await errorOf(500, "<html>", { "x-request-id": "req_head" });
    expect(inHeader.requestId).toBe("req_head");
    expect(inHeader.message).toContain("[request req_head]");
  });

  test("headers contains only allowed names, so nothing secret or unknown", async () => {
    const { headers } = await errorOf(500, "", {
      "set-cookie": "authToken=1",
      "x-internal": "1",
      "x-request-id": "r",
      "retry-after": "61",
      server: "s",
    });
    expect(headers).toEqual({
      "x-request-id": "r",
      "retry-after": "61",
      server: "s",
      "content-type": "text/plain;charset=UTF-8",
    });
  });

  test("as JSON it is its name, message and fields, without a stack", async () => {
    const error = await errorOf(404, JSON.stringify({ error: full }));
    const json = JSON.parse(JSON.stringify(error));
    expect(json).toMatchObject({
      name: "NotFoundError",
      message: error.message,
      operation: "probe.safe",
      status: 404,
      condition: "tool_not_found",
      requestId: "req_1",
      attempts: 1,
    });
    expect(json).not.toHaveProperty("stack");
  });

  test("a timeout is a ConnectionError, and a missing credential a ConfigError", async () => {
    const error = await rejectionOf(
      TimeoutError,
      send(clientOf(scriptedFetch(silence), { timeoutMs: 1, maxRetries: 0 })),
    );
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).not.toBeInstanceOf(ApiError);
    expect(error).not.toBeInstanceOf(MissingCredentialError);
    expect(String(error)).toMatch(/^TimeoutError: probe\.safe: no result within/);
  });
});

describe("instanceof", () => {
  test("works across two copies of the package", async () => {
    const path = "../../src/errors/api-error.js?copy";
    const base = "../../src/errors/base.js?copy";
    // A specifier with a query is another module to the loader, and none to the compiler.
    const copy = (await import(/* @vite-ignore */ path)) as typeof import("../../src/errors/api-error.js");
    const copiedBase = (await import(/* @vite-ignore */ base)) as typeof import("../../src/errors/base.js");
    expect(copy.NotFoundError).not.toBe(NotFoundError);
    expect(copiedBase.SvcError).not.toBe(SvcError);
    const ours = await errorOf(404, "");
    expect(ours).toBeInstanceOf(copy.NotFoundError);
    expect(ours).toBeInstanceOf(copy.ApiError);
    expect(ours).toBeInstanceOf(copiedBase.SvcError);
    expect(ours).not.toBeInstanceOf(copy.ConflictError);
    expect(new copiedBase.SvcError("theirs")).toBeInstanceOf(SvcError);
    expect(new copiedBase.SvcError("theirs")).not.toBeInstanceOf(ApiError);
  });

  test("compares the prototype for a custom class", async () => {
    class MyError extends ApiError {}
    const error = await errorOf(404, "");
    expect(error).not.toBeInstanceOf(MyError);
    expect(Object.create(MyError.prototype)).toBeInstanceOf(MyError);
  });

  test.each([null, undefined, "SvcError", 1, {}, new Error("x"), Object.create(null)])("is false for %o", (value) => {
    expect(value instanceof SvcError).toBe(false);
  });
});
