import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError, RateLimitError, ResponseError, type Svc, SvcError, type SvcOptions } from "../../src/index.js";
import { clientOf, send } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { codePoints } from "../support/code-points.js";
import { sampled, sized, stopwatch } from "../support/size.js";
import { ear } from "./ear.js";

const RUNS = { numRuns: sized(20, 300) };
const KEY = "ak_test";

/** How long one call with an odd answer may take, in milliseconds: bodies and headers are read in linear time. */
const BOUND_MS = 10_000;

type Fetch = (request: Request) => Promise<Response>;

/**
 * Runs a call to its end over this fetch, in bounded time, and gives its error, or `undefined` if it succeeded. Neither
 * the error nor anything that is told on the way may hold the key.
 */
async function failureOf(
  call: (svc: Svc) => PromiseLike<unknown>,
  fetch: Fetch,
  options: SvcOptions = { maxRetries: 0 },
): Promise<SvcError | undefined> {
  const { heard, options: listening } = ear();
  const svc = clientOf(fetch, { ...listening, ...options });
  const watch = stopwatch();
  const error: unknown = await call(svc).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  watch.expectBelow(BOUND_MS);
  expect(heard.join("\n")).not.toContain(KEY);
  if (error === undefined) return undefined;
  if (!(error instanceof SvcError)) throw new Error("not a typed error", { cause: error });
  expect(error.message).not.toContain("[object Object]");
  expect(error.message.length).toBeLessThan(5_000);
  expect(JSON.stringify(error)).not.toContain(KEY);
  return error;
}

const anyJson = fc.jsonValue({ maxDepth: 4 });

/** Values where a string is due, strings among them. */
const anyField = fc.oneof(
  fc.string(),
  fc.string({ maxLength: 5_000, minLength: 1_000 }),
  anyJson,
  fc.constant(`holds ${KEY} inside`),
);

/** An error object with any of its fields missing, or of another type, and others beside them. */
const anyEnvelope = fc.record(
  {
    message: anyField,
    code: fc.oneof(fc.integer(), anyField),
    error_code: anyField,
    slug: anyField,
    status: fc.oneof(fc.integer(), anyField),
    request_id: anyField,
    suggested_fix: anyField,
    suggestedFix: anyField,
    errors: fc.oneof(fc.array(anyField, { maxLength: 5 }), anyJson),
    __proto__: anyJson,
    toString: anyJson,
  },
  { requiredKeys: [] },
);

const anyErrorBody = fc.oneof(
  anyEnvelope.map((error) => JSON.stringify({ error })),
  fc.tuple(anyEnvelope, anyEnvelope).map(([error, beside]) => JSON.stringify({ ...beside, error })),
  anyEnvelope.map((flat) => JSON.stringify(flat)),
  anyEnvelope.map((error) => JSON.stringify(JSON.stringify({ error }))),
  anyEnvelope.map((error) => JSON.stringify({ error }).slice(0, 60)),
  anyJson.map((value) => JSON.stringify(value)),
  codePoints(),
  fc.string().map((text) => `<html>${text}`),
);

const headerValue = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 60,
});

const anyHeaders = fc.dictionary(
  fc.constantFrom(
    "retry-after",
    "retry-after-ms",
    "x-should-retry",
    "x-ratelimit",
    "x-ratelimit-remaining",
    "x-ratelimit-window-size",
    "x-request-id",
    "content-type",
    "content-length",
    "location",
    "date",
    "deprecation",
    "sunset",
    "link",
    "server",
    "set-cookie",
  ),
  fc.oneof(headerValue, fc.nat().map(String), fc.constantFrom("60s", "1e9", "-1", "NaN", `${KEY} in a header`)),
);

describe("whatever the service responds, only typed errors are thrown", () => {
  test("an error status with any body and headers becomes an error with this status and a readable message", async () => {
    const answered = fc.tuple(
      fc.integer({ min: 400, max: 599 }),
      anyErrorBody,
      anyHeaders,
      fc.constantFrom("safe", "effect"),
    );
    await fc.assert(
      fc.asyncProperty(answered, async ([status, body, headers, repeat]) => {
        const fetch = async () => new Response(body, { status, headers });
        const error = await failureOf((svc) => send(svc, repeat), fetch, {});
        expect(error).toBeInstanceOf(ApiError);
        expect(error).toMatchObject({ status, operation: `probe.${repeat}` });
      }),
      RUNS,
    );
  });

  test("a 2xx with any body is an object or a typed error", async () => {
    const body = fc.oneof(anyErrorBody, fc.uint8Array({ maxLength: 200 }));
    await fc.assert(
      fc.asyncProperty(body, anyHeaders, async (bytes, headers) => {
        const isObject = (data: unknown) => typeof data === "object" && data !== null && !Array.isArray(data);
        const call = (svc: Svc) => send(svc).then((data) => expect(isObject(data)).toBe(true));
        const error = await failureOf(call, async () => new Response(bytes, { headers }));
        if (error) expect(error).toBeInstanceOf(ResponseError);
      }),
      RUNS,
    );
  });

  test("a redirect to anywhere is a typed error after one request", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(301, 302, 303, 307, 308),
        fc.oneof(headerValue, fc.webUrl()),
        async (status, location) => {
          let requests = 0;
          const fetch = async () => {
            requests += 1;
            return new Response("{}", { status, headers: { location } });
          };
          const error = await failureOf((svc) => send(svc, "effect"), fetch, {});
          expect(error).toMatchObject({ status, outcome: status >= 307 ? "rejected" : "unknown" });
          expect(requests).toBe(1);
        },
      ),
      RUNS,
    );
  });

  test("a fetch that throws anything ends in a typed error", async () => {
    const anyThrown = fc.oneof(
      fc.anything(),
      fc.record({ message: fc.anything(), code: fc.anything(), cause: fc.anything(), errors: fc.anything() }),
    );
    await fc.assert(
      fc.asyncProperty(anyThrown, async (thrown) => {
        const error = await failureOf(
          (svc) => send(svc, "effect"),
          () => Promise.reject(thrown),
        );
        expect(error).toMatchObject({ attempts: 1, outcome: "unknown" });
      }),
      RUNS,
    );
  });
});

describe("Retry-After", () => {
  const readable = fc.integer({ min: 1, max: 60 });
  const date = fc.date({
    min: new Date(Date.UTC(2025, 0, 1)),
    max: new Date(Date.UTC(2027, 0, 1)),
    noInvalidDate: true,
  });

  test.each(["retry-after", "retry-after-ms"])(
    "with any string in %s is respected if it's valid, and never causes a hot loop",
    async (name) => {
      const value = fc.oneof(
        headerValue,
        fc.nat({ max: 100_000 }).map(String),
        readable.map(String),
        date.map((day) => day.toUTCString()),
        fc.float().map(String),
      );
      await fc.assert(
        fc.asyncProperty(value, fc.constantFrom(429, 503), async (text, status) => {
          const clock = fakeClock();
          const start = clock.now();
          const fetch = async () => Response.json({ message: "Slow down" }, { status, headers: { [name]: text } });
          const error = await failureOf((svc) => send(svc), fetch, { clock, maxRetries: 1 });
          // A header's value ends before its spaces and tabs; other white space belongs to it.
          const [, digits] = /^[ \t]*(\d+)[ \t]*$/.exec(text) ?? [];
          const asked = Number(digits) * (name === "retry-after" ? 1_000 : 1);
          const isWhole = asked > 0;
          // At once, with the wait; or after a wait, which is the one asked for.
          if (isWhole && asked > 60_000) {
            expect(clock.slept).toEqual([]);
            // Beyond some thirty thousand years it is all the same.
            expect(error).toMatchObject({ retryAfterMs: Math.min(asked, 1e15) });
          } else {
            expect(clock.slept.length === 0 || (clock.slept[0] ?? 0) >= (isWhole ? asked : 1)).toBe(true);
            if (isWhole) expect(clock.slept[0]).toBe(asked);
            if (error instanceof RateLimitError && error.retryAt)
              expect(error.retryAt.getTime()).toBeGreaterThan(start);
          }
        }),
        RUNS,
      );
    },
  );
});

describe("cursors", () => {
  test("of any kind end the list or are a typed error, and nothing is yielded twice", async () => {
    const cursors = fc.array(fc.oneof(fc.constantFrom("a", "b", "c", "", null), fc.string(), anyJson), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(cursors, async (given) => {
        let page = 0;
        const fetch = async () => {
          const next_cursor = given[page];
          page += 1;
          return Response.json({ items: [page], next_cursor });
        };
        const delivered: unknown[] = [];
        const walk = async (svc: Svc) => {
          for await (const item of svc.tools.list()) delivered.push(item);
        };
        const error = await failureOf(walk, fetch);
        if (error) expect(error).toBeInstanceOf(ResponseError);
        expect(delivered).toEqual(Array.from({ length: page }, (_, index) => index + 1));
        expect(page).toBeLessThanOrEqual(given.length + 1);
      }),
      RUNS,
    );
  });
});

describe("strings built to be slow to parse", () => {
  const MEBIBYTE = 2 ** 20;
  const fill = (piece: string) => piece.repeat(Math.ceil(MEBIBYTE / piece.length));

  const pieces = ["\\", KEY.slice(0, -1), "\\u0061", "\\\\\\a", " ", "<", "9", "{", "[", '{"a":', "a ", "\u0000", "😀"];
  test.each(sampled(pieces, 4))("a mebibyte of %j is parsed in limited time", async (piece) => {
    for (const [status, body] of [
      [200, fill(piece)],
      [500, fill(piece)],
      [500, JSON.stringify({ error: { message: fill(piece), slug: fill(piece) } })],
    ] as const) {
      expect(
        await failureOf(
          (svc) => send(svc),
          async () => new Response(body, { status }),
        ),
      ).toBeDefined();
    }
  });

  test.each(["retry-after", "x-ratelimit", "x-ratelimit-window-size", "link", "date", "sunset"])(
    "a long %s is parsed in limited time",
    async (name) => {
      for (const piece of ["9", " ", "<", ";,", "Mon, "]) {
        const headers = { [name]: piece.repeat(50_000) };
        const error = await failureOf(
          (svc) => send(svc),
          async () => Response.json({}, { status: 429, headers }),
        );
        expect(error).toBeInstanceOf(RateLimitError);
      }
    },
  );
});
