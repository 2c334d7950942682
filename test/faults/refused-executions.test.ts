import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { Svc, type SvcOptions } from "../../src/index.js";
import { rejection } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { sized } from "../support/size.js";
import { execution, mailingService } from "./mailing-service.js";
import { TIMEOUT_MS } from "./table.js";
import { wireServer } from "./wire.js";

/** How many responses are made up. */
const RUNS = sized(300, 10_000, 100_000);

/** A service over real HTTP that runs each execution and then responds with these bytes. */
async function sendsAfterRunning(response: string, options: SvcOptions = {}, then: "close" | "stall" = "close") {
  const server = await wireServer(() => ({
    on: "request",
    play: (socket) => (then === "close" ? socket.end(response) : socket.write(response)),
  }));
  const svc = new Svc({ baseUrl: server.address, apiKey: "ak", env: {}, clock: fakeClock(), ...options });
  try {
    const error = await rejection(svc.tools.execute("MAIL_SEND", execution("1")));
    return { error, effects: server.turns };
  } finally {
    await server.close();
  }
}

const head = (length: number, more = "") =>
  `HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 1\r\nx-ratelimit: 9\r\n${more}content-length: ${length}\r\n\r\n`;

describe("an execution that ran and got a 429 with Retry-After isn't run again", () => {
  const message = '{"message":"Slow down"}';
  test.each([
    ["a body cut off by the connection", head(99) + message],
    ["an empty body cut off by the connection", head(99)],
    [
      "a chunked body without an end",
      `${head(0).replace("content-length: 0", "transfer-encoding: chunked")}17\r\n${message}\r\n`,
    ],
    ...["connection: close\r\n", "Connection: Close\r\n", "Connection: close, foo\r\n", ""].map((connection) => [
      `an empty body that ends with its connection: ${JSON.stringify(connection)}`,
      `HTTP/1.1 429 T\r\nretry-after: 1\r\n${connection}\r\n`,
    ]),
    ["compressed bytes that aren't", head(message.length, "content-encoding: gzip\r\n") + message],
    ["a body over the limit for error bodies", head(2_000_002) + JSON.stringify(" ".repeat(2_000_000))],
  ])("%s", async (_, response) => {
    const { error, effects } = await sendsAfterRunning(response);
    expect(error).toMatchObject({ outcome: "unknown" });
    expect(effects).toBe(1);
  });

  test("a body that stalls until the time limit", async () => {
    const { error, effects } = await sendsAfterRunning(head(99) + message, { timeoutMs: TIMEOUT_MS }, "stall");
    expect(error).toMatchObject({ outcome: "unknown", status: 429 });
    expect(effects).toBe(1);
  });

  test("but the rate limiter's own 429 is followed by another attempt", async () => {
    const { error, effects } = await sendsAfterRunning(head(message.length) + message);
    expect(error).toMatchObject({ outcome: "rejected", attempts: 3 });
    expect(effects).toBe(3);
  });
});

const anyHeaders = fc.record(
  {
    "retry-after": fc.constantFrom("1", "0", "30", "soon", "1, 2"),
    "retry-after-ms": fc.constantFrom("1", "0", "x"),
    "x-ratelimit": fc.constantFrom("50", "x"),
    "x-ratelimit-remaining": fc.constantFrom("0", "7"),
    "x-should-retry": fc.constantFrom("true", "false"),
    "content-type": fc.constantFrom("application/json", "text/html"),
  },
  { requiredKeys: [] },
);
const anyText = fc.string({ minLength: 1, maxLength: 20 });
const anyBody = fc.oneof(
  fc.record({ message: anyText, documentation_url: anyText }),
  fc.record({ error: fc.oneof(anyText, fc.record({ message: anyText })) }, { requiredKeys: ["error"] }),
  fc.record({ error: fc.record({ message: anyText }), request_id: anyText }),
  fc.record({ data: fc.object(), successful: fc.boolean(), error: anyText, log_id: anyText }),
  fc.record({ errors: fc.array(anyText) }),
  fc.object(),
  fc.jsonValue(),
);
/** What the limiter never sends whole. */
const isLimiters = (text: string) => {
  if (text === "") return true;
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && Object.keys(body).join() === "message";
  } catch {
    return false;
  }
};
const anyEnd = fc.constantFrom("whole", "cut", "stalled");
const anyResponse = fc.record({
  status: fc.constantFrom(200, 429, 429, 429),
  headers: anyHeaders,
  body: anyBody,
  end: anyEnd,
  cutAt: fc.nat(),
});

/** The text of a made-up response, or `undefined` if it's one that proves something or isn't a failure. */
function provesNothing({ status, body, end, cutAt }: typeof anyResponse extends fc.Arbitrary<infer T> ? T : never) {
  const whole = JSON.stringify(body) ?? "";
  const text = end === "whole" ? whole : whole.slice(0, cutAt % (whole.length + 1));
  return end === "whole" && (status === 200 || isLimiters(text)) ? undefined : text;
}

test(`none of ${RUNS} random responses to executions that ran makes one run twice`, async () => {
  const mailer = mailingService();
  const emulator = createEmulator(mailer.options);
  let executions = 0;
  await fc.assert(
    fc.asyncProperty(anyResponse, async (response) => {
      const text = provesNothing(response);
      if (text === undefined) return;
      executions += 1;
      const { status, headers, end } = response;
      const svc = new Svc({
        ...emulator.connection,
        env: {},
        clock: fakeClock(),
        timeoutMs: end === "stalled" ? 1 : 60_000,
        fetch: async (request) => {
          await emulator.fetch(request);
          return new Response(bodyOf(text, end), { status, headers });
        },
      });
      const error = await rejection(svc.tools.execute("MAIL_SEND", execution(String(executions))));
      expect(mailer.ran.get(String(executions))).toBe(1);
      expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
    }),
    { numRuns: RUNS },
  );
  expect(executions).toBeGreaterThan(RUNS / 2);
  expect(mailer.ran.size).toBe(executions);
}, 900_000);

/** A body that is whole, breaks off, or says nothing more. */
function bodyOf(text: string, end: "whole" | "cut" | "stalled"): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      if (text !== "") controller.enqueue(new TextEncoder().encode(text));
      if (end === "whole") controller.close();
    },
    pull: (controller) => {
      if (end === "stalled") return new Promise(() => undefined);
      controller.error(new TypeError("terminated"));
      return undefined;
    },
  });
}
