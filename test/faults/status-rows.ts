import { gzipSync } from "node:zlib";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UnprocessableEntityError,
} from "../../src/index.js";
import { type Failure, type Fault, playing, TIMEOUT_MS } from "./table.js";
import { answer, breaks, drips, ends, JSON_TYPE, json, writes } from "./wire.js";

const HTML = "<!doctype html><html><title>520: web server is returning an unknown error</title></html>";

/** The status decided it before anything ran, and deciding again changes nothing. */
const refused = (status: number, error: Failure["error"] = ApiError): Failure => ({
  error,
  outcome: "rejected",
  again: "none",
  shows: { status },
});

/** The service failed, perhaps half-way. */
const failed = (status: number): Failure => ({
  error: ServerError,
  outcome: "unknown",
  again: "harmless",
  shows: { status },
});

const limited: Failure = {
  error: RateLimitError,
  outcome: "rejected",
  again: "all",
  shows: { status: 429, isServiceLimit: true },
};

const refusal = (status: number) => json(status, { error: { message: "The service says no", code: 1, status } });

const CLASSES: Readonly<Record<number, Failure["error"]>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableEntityError,
};

const CLIENT_STATUSES = [
  400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 414, 415, 416, 417, 418, 422, 423, 424, 425, 426, 428, 431,
  451, 499,
];

const SERVER_STATUSES = [
  500, 502, 503, 504, 505, 506, 507, 508, 510, 511, 520, 521, 522, 523, 524, 525, 526, 527, 530, 598, 599, 999,
];

const FAMILIES: readonly Fault[] = [
  ...CLIENT_STATUSES.map((status): Fault => {
    const right = { ...refused(status, CLASSES[status]), says: /The service says no/ };
    return { name: `a ${status}`, peer: playing(writes(refusal(status))), right };
  }),
  { name: "a 408", peer: playing(writes(refusal(408))), right: { ...failed(408), error: ApiError } },
  { name: "a 413", peer: playing(writes(refusal(413))), right: { ...failed(413), error: ApiError, again: "none" } },
  { name: "a 501", peer: playing(writes(refusal(501))), right: { ...failed(501), again: "none" } },
  ...SERVER_STATUSES.flatMap((status): Fault[] => [
    {
      name: `a ${status}`,
      peer: playing(writes(refusal(status))),
      right: { ...failed(status), says: /The service says no/ },
    },
    {
      name: `a ${status} with a page`,
      peer: playing(writes(answer(status, HTML, "content-type: text/html"))),
      right: { ...failed(status), says: /^(?!.*<).*HTML page/ },
    },
  ]),
  {
    name: "a 500 that says not to try again",
    peer: playing(writes(json(500, {}, "x-should-retry: false"))),
    right: { ...failed(500), again: "none" },
  },
];

/** The clock of these calls starts with the year 2026. */
const IN_30_S = "Thu, 01 Jan 2026 00:00:30 GMT";

/** Forms of Retry-After that ask for a wait: what is asked, and the least wait before each repeat. */
const ASKED: readonly (readonly [header: string, askedMs: number, waitsMs: readonly number[]])[] = [
  ["retry-after: 1", 1_000, [1_000, 1_000]],
  ["retry-after: 007", 7_000, [7_000, 7_000]],
  ["retry-after: 60", 60_000, [60_000, 60_000]],
  ["retry-after: 0.2", 200, [200, 200]],
  ["retry-after: 1, 2", 2_000, [2_000, 2_000]],
  ["retry-after: 1\r\nretry-after: 2", 2_000, [2_000, 2_000]],
  ["retry-after: 5\r\nretry-after-ms: 1", 5_000, [5_000, 5_000]],
  ["retry-after-ms: 1500", 1_500, [1_500, 1_500]],
  // Once that time has come, it asks for nothing anymore.
  [`retry-after: ${IN_30_S}`, 30_000, [30_000]],
  ["retry-after: Thursday, 01-Jan-26 00:00:30 GMT", 30_000, [30_000]],
  ["retry-after: Thu Jan  1 00:00:30 2026", 30_000, [30_000]],
];

/** Forms that ask for nothing that can be understood: the client's own backoff holds. */
const UNREADABLE = [
  "0",
  "-1",
  "NaN",
  "Infinity",
  "1e9",
  "0x10",
  "",
  "soon",
  "2026-01-01T00:00:30Z",
  "Wed, 31 Dec 2025 23:59:59 GMT",
  "Thu, 30 Feb 2026 00:00:30 GMT",
  "Thu, 01 Jan 2026 00:00:30",
  "9".repeat(400),
];

/** Longer than a client waits: it says when to come back, immediately. */
const TOO_LONG: readonly (readonly [header: string, askedMs: number])[] = [
  ["retry-after: 61", 61_000],
  ["retry-after: 1000000000", 1e12],
  ["retry-after-ms: 60001", 60_001],
  ["retry-after: Thu, 01 Jan 2026 01:00:00 GMT", 3_600_000],
];

const WAITS: readonly Fault[] = [429, 503].flatMap((status): Fault[] => {
  const right = status === 429 ? limited : failed(503);
  const answering = (header: string) => playing(writes(json(status, { message: "Rate limit exceeded" }, header)));
  return [
    ...ASKED.map(
      ([header, , waitsMs]): Fault => ({
        name: `a ${status} with ${header}`,
        peer: answering(header),
        right: { ...right, says: /Rate limit exceeded/, waitsMs },
      }),
    ),
    ...UNREADABLE.map(
      (value): Fault => ({
        name: `a ${status} with retry-after: ${JSON.stringify(value).slice(0, 40)}`,
        peer: answering(`retry-after: ${value}`),
        right: {
          ...right,
          shows: { status, retryAfterMs: undefined, retryAt: undefined },
          says: /Rate limit exceeded/,
        },
      }),
    ),
    ...TOO_LONG.map(
      ([header, retryAfterMs]): Fault => ({
        name: `a ${status} with ${header}`,
        peer: answering(header),
        right: {
          ...right,
          again: "none",
          shows: { status, retryAfterMs, retryAt: new Date(Date.UTC(2026, 0, 1) + retryAfterMs) },
        },
      }),
    ),
  ];
});

/** A 429 without a wait: the limiter's own, or one that a provider behind the service gave. */
const LIMITS: readonly Fault[] = [
  {
    name: "a 429 of the limiter, { message }",
    peer: playing(writes(json(429, { message: "Slow down" }, "x-ratelimit: 50"))),
    right: { ...limited, says: /Slow down/ },
  },
  ...(
    [
      ["an error object", refusal(429), /The service says no/],
      ["a message and no header", json(429, { message: "Slow down" }), /Slow down/],
      ["text", answer(429, "Too many", "content-type: text/plain"), /Too many/],
      ["text and Retry-After", answer(429, "Too many", "retry-after: 1"), /Too many/],
      ["a page", answer(429, HTML, "content-type: text/html"), /^(?!.*<).*HTML page/],
      ["nothing", answer(429, ""), /no readable error body/],
    ] as const
  ).map(
    ([what, wire, says]): Fault => ({
      name: `a 429 of somebody, with ${what}`,
      peer: playing(writes(wire)),
      right: {
        ...limited,
        outcome: "unknown",
        again: "harmless",
        shows: { status: 429, isServiceLimit: false },
        says,
      },
    }),
  ),
];

const DEEP = `{"error":${'{"a":'.repeat(60_000)}1${"}".repeat(60_000)}}`;

/** Error bodies off the schema, and what can still be read in them. */
const ODD_BODIES: readonly (readonly [name: string, body: string | Uint8Array, says: RegExp])[] = [
  ["nothing", "", /no readable error body/],
  ["null", "null", /no readable error body/],
  ["a number", "42", /no readable error body/],
  ["an array", '[{"message":"inside"}]', /no readable error body/],
  ["an empty object", "{}", /no readable error body/],
  ["a text", "it broke", /it broke/],
  ["a string of JSON", '"it broke"', /it broke/],
  ["an error that is a text", '{"error":"it broke"}', /it broke/],
  ["an error that is null", '{"error":null,"message":"it broke"}', /it broke/],
  ["an error that is an array", '{"error":["it broke"]}', /no readable error body/],
  ["an error that is a number", '{"error":7}', /no readable error body/],
  ["a message that is an object", '{"error":{"message":{"text":"it broke"}}}', /no readable error body/],
  ["a message that is an array", '{"error":{"message":["it broke"]}}', /no readable error body/],
  [
    "errors that are objects",
    '{"error":{"message":"it broke","errors":[{"path":"a"},"b is wrong"]}}',
    /it broke \(b is wrong\)/,
  ],
  ["errors that are no list", '{"error":{"message":"it broke","errors":"all"}}', /it broke/],
  [
    "fields of other types",
    '{"error":{"message":"it broke","code":{},"slug":1,"request_id":[],"suggested_fix":{}}}',
    /it broke/,
  ],
  ["a body encoded twice", JSON.stringify('{"error":{"message":"it broke"}}'), /it broke/],
  ["a flat body", '{"message":"it broke","code":7}', /it broke/],
  ["JSON that breaks off", '{"error":{"message":"it bro', /it bro/],
  ["a page", HTML, /^(?!.*<).*HTML page/],
  ["bytes that are no UTF-8", Buffer.from('{"message":"it broke \xff"}', "latin1"), /it broke \uFFFD/],
  ["a message of nearly a mebibyte", JSON.stringify({ error: { message: "x".repeat(2 ** 20 - 99) } }), /xxx/],
  ["a text of a mebibyte", "x".repeat(2 ** 20), /xxx/],
  ["60,000 objects in one another", DEEP, /: (400|502) /],
  ["a field called __proto__", '{"error":{"message":"it broke","__proto__":{"status":200}}}', /it broke/],
  ["a status that disagrees", '{"error":{"message":"it broke","status":200}}', /it broke/],
];

const BODIES: readonly Fault[] = ODD_BODIES.flatMap(([name, body, says]): Fault[] => [
  {
    name: `a 400 with ${name}`,
    peer: playing(writes(json(400, body))),
    right: { ...refused(400, BadRequestError), says },
  },
  { name: `a 502 with ${name}`, peer: playing(writes(json(502, body))), right: { ...failed(502), says } },
]);

const MAX_BYTES = 50_000;

/** A failing status whose body never arrives whole. The status isn't lost, but proves nothing about the effect. */
const BROKEN_BODIES: readonly Fault[] = [400, 502].flatMap((status): Fault[] => {
  const head = `HTTP/1.1 ${status} No\r\n${JSON_TYPE}\r\n`;
  const half = `${head}content-length: 999\r\n\r\n{"error":{"message":"it bro`;
  const right: Failure = status === 400 ? { ...refused(400, BadRequestError), outcome: "unknown" } : failed(502);
  const named = (name: string, fault: Omit<Fault, "name" | "right">, more: Partial<Failure> = {}): Fault => ({
    name: `a ${status} whose body ${name}`,
    right: { ...right, ...more },
    ...fault,
  });
  const timed = { isTimed: true, letsGo: true } as const;
  const options = { timeoutMs: TIMEOUT_MS };
  return [
    named("stops", { peer: playing(writes(half)), options }, { ...timed, says: /it bro/ }),
    named("does not begin", { peer: playing(writes(`${head}content-length: 9\r\n\r\n`)), options }, timed),
    named("drips", { peer: playing(drips(half, "k", 10)), options }, { ...timed, says: /it bro/ }),
    named("is cut off", { peer: playing(ends(half)) }, { says: /it bro/ }),
    named("is reset", { peer: playing(breaks(half)) }),
    named("is longer than error bodies may be", { peer: playing(writes(json(status, `"${"x".repeat(2 ** 20)}"`))) }),
    named("is no gzip", { peer: playing(writes(json(status, "{}", "content-encoding: gzip"))) }),
    named(
      "never ends",
      {
        peer: playing(drips(`${head}content-length: 999999999\r\n\r\n`, "x".repeat(9_999))),
        options: { maxBodyBytes: MAX_BYTES },
      },
      { letsGo: true },
    ),
    named("is a gzip bomb", {
      peer: playing(writes(json(status, gzipSync(Buffer.alloc(2 ** 24)), "content-encoding: gzip"))),
      options: { maxBodyBytes: MAX_BYTES },
    }),
  ];
});

export const STATUS_ROWS: readonly Fault[] = [...FAMILIES, ...WAITS, ...LIMITS, ...BODIES, ...BROKEN_BODIES];
