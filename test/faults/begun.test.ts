import { gzipSync } from "node:zlib";
import { Agent, interceptors, MockAgent } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { Svc, SvcError, type SvcOptions } from "../../src/index.js";
import { undiciFetch } from "../../src/undici/index.js";
import { clientOf, rejectionOf, send } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { freePort } from "../support/ports.js";
import { broken } from "../support/scripted-fetch.js";
import { json, type Move, type WireServer, wireServer, writes } from "./wire.js";

async function playing(move: Move): Promise<WireServer> {
  const server = await wireServer(() => move);
  onTestFinished(server.close);
  return server;
}

/** A client that would retry five times. */
const clientAt = (baseUrl: string, options: SvcOptions) =>
  new Svc({ apiKey: "ak_test", baseUrl, env: {}, clock: fakeClock(), maxRetries: 5, ...options });

const CODES = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "CERT_HAS_EXPIRED"];

describe("an execution that a custom fetch has begun", () => {
  test.each(CODES)("is sent once if the fetch throws %s after its response", async (code) => {
    const server = await playing(writes(json(200, { ok: true })));
    const fetch = async (request: Request) => {
      await globalThis.fetch(request);
      throw broken(code);
    };
    const error = await rejectionOf(SvcError, send(clientAt(server.address, { fetch }), "effect"));
    expect(server.requests).toHaveLength(1);
    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
  });

  test.each([
    ["a Request", (request: Request) => globalThis.fetch(new Request(request, { redirect: "follow" }))],
    [
      "a URL and options",
      Object.assign(
        (request: Request, init?: RequestInit) => globalThis.fetch(request, { ...init, redirect: "follow" }),
        {
          acceptsInit: true as const,
        },
      ),
    ],
  ])("is sent once if the fetch takes %s, and follows a redirect to a closed port", async (_, fetch) => {
    const location = `location: http://127.0.0.1:${await freePort()}/`;
    const server = await playing(writes(`HTTP/1.1 303 Elsewhere\r\n${location}\r\ncontent-length: 0\r\n\r\n`));
    const error = await rejectionOf(SvcError, send(clientAt(server.address, { fetch }), "effect"));
    expect(server.requests).toHaveLength(1);
    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
  });

  test("is sent again if the fetch throws before it reads the request, or says that it sent nothing", async () => {
    const unread = rejectionOf(
      SvcError,
      send(
        clientOf(() => Promise.reject(broken("ECONNREFUSED"))),
        "effect",
      ),
    );
    expect(await unread).toMatchObject({ outcome: "not_sent", attempts: 3 });
    const fetch = async (request: Request) => {
      await request.text();
      throw Object.assign(broken("ECONNREFUSED"), { hasStarted: false });
    };
    expect(await rejectionOf(SvcError, send(clientOf(fetch), "effect"))).toMatchObject({ outcome: "not_sent" });
  });
});

test.each([
  ["the global fetch", globalThis.fetch],
  ["undiciFetch", undiciFetch()],
  ["undiciFetch with the dns interceptor", undiciFetch(new Agent().compose(interceptors.dns()))],
])("an execution over %s is sent again after a refused connection", async (_, fetch) => {
  const svc = clientAt(`http://localhost:${await freePort()}`, { fetch });
  const error = await rejectionOf(SvcError, send(svc, "effect"));
  expect(error).toMatchObject({ code: "ECONNREFUSED", outcome: "not_sent", attempts: 6 });
});

describe("an interceptor of undici's", () => {
  const reset: Move = { on: "request", play: (socket) => socket.destroy() };
  const provider429 = json(429, { error: { message: "slow down" } }, "retry-after: 1");
  const chunked = `HTTP/1.1 429 Limit\r\nretry-after: 1\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;

  const begun = gzipSync("x").subarray(0, 10);
  const zipped = json(429, begun, "retry-after: 1", "content-encoding: gzip");

  test.each([
    [
      "retry",
      interceptors.retry({
        methods: ["POST"],
        minTimeout: 0,
        retryAfter: false,
        statusCodes: [429],
        errorCodes: ["UND_ERR_SOCKET"],
      }),
    ],
    ["cache", interceptors.cache()],
    ["dns", interceptors.dns()],
    ["dump", interceptors.dump()],
    ["responseError", interceptors.responseError()],
    ["decompress", interceptors.decompress()],
    ["deduplicate", interceptors.deduplicate()],
  ])("never sends an execution twice: %s", async (_, interceptor) => {
    for (const move of [reset, writes(provider429), writes(chunked), writes(zipped)]) {
      const server = await playing(move);
      const fetch = undiciFetch(new Agent().compose(interceptor));
      const error = await rejectionOf(SvcError, send(clientAt(server.address, { fetch }), "effect"));
      expect(server.requests).toHaveLength(1);
      expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
    }
  });

  test("and a mocked error after a request make the outcome unknown", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent.get("https://api.example.com").intercept({ path: /.*/, method: "POST" }).replyWithError(broken("ECONNRESET"));
    const error = await rejectionOf(
      SvcError,
      send(clientAt("https://api.example.com", { fetch: undiciFetch(agent) }), "effect"),
    );
    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
  });
});

test("a 429 whose body is only a byte order mark isn't the service's own", async () => {
  const server = await playing(
    writes(Buffer.from("HTTP/1.1 429 Limit\r\nretry-after: 1\r\ncontent-length: 3\r\n\r\n\u{FEFF}")),
  );
  const error = await rejectionOf(SvcError, send(clientAt(server.address, {}), "effect"));
  expect(server.requests).toHaveLength(1);
  expect(error).toMatchObject({ outcome: "unknown" });
});
