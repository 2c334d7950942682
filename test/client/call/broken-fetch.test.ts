import * as undici from "undici";
import { describe, expect, test } from "vitest";
import { ConnectionError, Svc, type SvcEvent, type SvcOptions } from "../../../src/index.js";
import { clientOf, rejection, rejectionOf, send } from "../../support/client.js";
import { broken, scriptedFetch, silence, stalled } from "../../support/scripted-fetch.js";

/** What a call with an effect becomes whose fetch throws this. */
function failed(thrown: unknown): Promise<ConnectionError> {
  const fetch = async () => {
    throw thrown;
  };
  return rejectionOf(ConnectionError, send(clientOf(fetch, { maxRetries: 0 }), "effect"));
}

const UNTRUSTED =
  " The service's certificate isn't trusted here. If your organization issued it, set NODE_EXTRA_CA_CERTS to the issuer's PEM file and restart.";

const errorWith = (fields: object, message = "outer") => Object.assign(new Error(message), fields);

/** An error that lies under so many others. */
function nested(depth: number): Error {
  return depth === 0 ? new Error("level 0") : new Error(`level ${depth}`, { cause: nested(depth - 1) });
}

const looped = new Error("in a circle");
looped.cause = looped;

const guarded = Object.defineProperty(new Error("guarded"), "code", {
  get: () => {
    throw new Error("not for you");
  },
});

const WARNING = " It may have run. Check before you retry.";

describe("the message of a call whose fetch throws", () => {
  test.each<[string, unknown, string]>([
    ["an error", new TypeError("fetch failed"), "fetch failed"],
    ["an error with a cause: the innermost knows why", nested(2), "level 0"],
    ["six errors in one another", nested(5), "level 0"],
    ["more than six errors in one another: the sixth", nested(6), "level 1"],
    ["an error that is its own cause", looped, "in a circle"],
    ["an error whose cause says nothing", new Error("outer", { cause: new Error("") }), "outer"],
    ["an error whose cause is a text", new Error("outer", { cause: "a text" }), "outer"],
    ["several errors at once: the first", new AggregateError([new Error("one"), new Error("two")], "all"), "one"],
    ["an error with a list of errors that is none", errorWith({ errors: "none" }), "outer"],
    ["an error whose code cannot be read", guarded, "guarded"],
    ["an error whose code is a number, as a DOMException's", errorWith({ code: 20 }), "outer"],
    ["an error whose message is no text", errorWith({ message: 7 }), "fetch failed without an error"],
    ["an error without a message", new Error(""), "fetch failed without an error"],
    ["an object that is no error", { message: "an object" }, "fetch failed without an error"],
    ["a text", "a text", "fetch failed without an error"],
    ["nothing", undefined, "fetch failed without an error"],
    ["null", null, "fetch failed without an error"],
    ["an error of more than 200 characters", new Error("x".repeat(201)), "x".repeat(200)],
  ])("%s", async (_, thrown, why) => {
    const error = await failed(thrown);
    expect(error.message).toBe(`probe.effect: no response from https://api.example.com (${why}).${WARNING}`);
    expect(error).toMatchObject({ code: undefined, phase: "headers", outcome: "unknown" });
  });

  test("has the library's words as its cause, without keys and without the library's error", async () => {
    const inner = Object.assign(new Error("no ak_test here"), { code: "EPIPE", request: { key: "ak_test" } });
    const { cause, message } = await failed(new TypeError("fetch failed", { cause: inner }));
    expect(message).toContain("(EPIPE).");
    expect(cause).toEqual(new Error("no *** here"));
    expect(Object.keys(Object(cause))).toEqual([]);
    expect(await failed({ code: "EPIPE" })).not.toHaveProperty("cause");
  });

  test("contains at most 100 characters of the outermost code", async () => {
    const inner = errorWith({ code: "EINNER" });
    expect((await failed(new Error("outer", { cause: inner }))).message).toContain("(EINNER).");
    expect((await failed(errorWith({ code: "EOUTER", cause: inner }))).code).toBe("EOUTER");
    expect((await failed(errorWith({ code: "E".repeat(101) }))).code).toBe("E".repeat(100));
  });

  test.each([
    ["ECONNREFUSED", " Is the service running there? Check baseUrl."],
    ["ConnectionRefused", " Is the service running there? Check baseUrl."],
    ["ENOTFOUND", " The host name couldn't be resolved. Check baseUrl."],
    ["EAI_AGAIN", " The host name couldn't be resolved. Check baseUrl."],
    ["ERR_SSL_WRONG_VERSION_NUMBER", " Does baseUrl use https, but the service http?"],
    ["CERT_HAS_EXPIRED", " The service's certificate has expired, by this machine's clock."],
    ["ERR_TLS_CERT_ALTNAME_INVALID", " The service's certificate is for another host. Check baseUrl."],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", UNTRUSTED],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", UNTRUSTED],
    ...["EPIPE", "!ECONNREFUSED", "ECONNREFUSED!", "!ENOTFOUND", "ENOTFOUND!", "EAI_", "!EAI_AGAIN"].map((code) => [
      code,
      "",
    ]),
  ])("suggests what to check if the code is known: %s", async (code, advice) => {
    const { message, outcome } = await failed(errorWith({ code }));
    const warning = advice === "" ? WARNING : "";
    expect(outcome).toBe(advice === "" ? "unknown" : "not_sent");
    expect(message).toBe(`probe.effect: no response from https://api.example.com (${code}).${advice}${warning}`);
  });

  test.each<[string, () => unknown]>([
    ["nothing", () => undefined],
    ["null", () => null],
    ["a text", () => '{"ok":true}'],
    ["an object", () => ({ ok: true, status: 200 })],
    ["headers that cannot be read", () => ({ ok: true, status: 200, headers: {}, body: null })],
    ["a network error", () => Response.error()],
  ])("reports that fetch returned %s instead of a response", async (_, act) => {
    // What a JavaScript program may hand over, whatever the type says.
    const svc = clientOf(async () => act() as Response, { maxRetries: 0 });
    const error = await rejectionOf(ConnectionError, send(svc));
    expect(error.message).toContain("(fetch didn't return a usable Response).");
  });
});

describe("whether a request was sent", () => {
  test.each([
    "ECONNREFUSED",
    "ConnectionRefused",
    "ENOTFOUND",
    "EAI_AGAIN",
    "UND_ERR_CONNECT_TIMEOUT",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  ])("is known from the code %s: there was no connection", async (code) => {
    expect(await failed(broken(code))).toMatchObject({ code, outcome: "not_sent" });
    expect(await failed(broken(`${code}!`))).toMatchObject({ outcome: "unknown" });
    expect(await failed(broken(`!${code}`))).toMatchObject({ outcome: "unknown" });
  });

  test.each(["EHOSTUNREACH", "ENETUNREACH", "ECONNRESET", "ETIMEDOUT"])(
    "is known from %s only while connecting, because it also breaks connections",
    async (code) => {
      const connecting = { syscall: "connect" };
      expect(await failed(errorWith({ code }))).toMatchObject({ code, outcome: "unknown" });
      expect(await failed(errorWith({ code, syscall: "read" }))).toMatchObject({ outcome: "unknown" });
      expect(await failed(errorWith({ code, ...connecting }))).toMatchObject({ outcome: "not_sent" });
      expect(await failed(errorWith({ code: `${code}!`, ...connecting }))).toMatchObject({ outcome: "unknown" });
      expect(await failed(errorWith({ code: `!${code}`, ...connecting }))).toMatchObject({ outcome: "unknown" });
    },
  );

  test("is known if the handshake failed, or if the runtime names the step that failed", async () => {
    const handshake = "Client network socket disconnected before secure TLS connection was established";
    expect(await failed(errorWith({ code: "ECONNRESET" }, handshake))).toMatchObject({ outcome: "not_sent" });
    const deno = new TypeError("error sending request: client error (Connect): dns error");
    expect(await failed(deno)).toMatchObject({ code: undefined, outcome: "not_sent" });
    expect(await failed(new TypeError("client error (SendRequest)"))).toMatchObject({ outcome: "unknown" });
  });

  const FOREIGN =
    " The client's fetch can't read a Request of this runtime. Omit the option fetch, or pass undiciFetch() from svc-sdk/undici.";

  test.each<[string, SvcOptions["fetch"], string]>([
    // As node-fetch 2 and cross-fetch, node-fetch 3 and undici read a Request that they don't know.
    [
      "node-fetch 2",
      () => Promise.reject(new TypeError("Only absolute URLs are supported")),
      "Only absolute URLs are supported",
    ],
    ["node-fetch 3", async (request) => Response.json(new URL(String(request))), "Invalid URL"],
    ["undici", (request) => undici.fetch(request as never) as never, "Invalid URL"],
  ])("is known of fetch from %s, which can't read the request", async (_, fetch, words) => {
    const error = await rejectionOf(ConnectionError, send(clientOf(fetch as never), "effect"));
    expect(error).toMatchObject({ outcome: "not_sent", attempts: 1, cause: { message: words } });
    expect(error.message).toContain(`.${FOREIGN}`);
  });

  test("is known of a port that fetch blocks", async () => {
    const svc = new Svc({ baseUrl: "http://127.0.0.1:1", apiKey: "ak_test", env: {} });
    const error = await rejectionOf(ConnectionError, send(svc, "effect"));
    expect(error).toMatchObject({ outcome: "not_sent", attempts: 1, cause: { message: "bad port" } });
    expect(error.message).toBe(
      "probe.effect: no response from http://127.0.0.1:1 (bad port). fetch blocks port 1. Choose another one, and change baseUrl.",
    );
  });

  test("is read from the first error of an AggregateError", async () => {
    const both = new AggregateError([broken("ECONNREFUSED"), broken("EPIPE")]);
    expect(await failed(both)).toMatchObject({ code: "ECONNREFUSED", outcome: "not_sent" });
  });

  test("doesn't matter once a response has started", async () => {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(broken("ECONNREFUSED")) });
    const svc = clientOf(async () => new Response(body), { maxRetries: 0 });
    const error = await rejectionOf(ConnectionError, send(svc, "effect"));
    expect(error).toMatchObject({ phase: "body", code: "ECONNREFUSED", outcome: "unknown" });
  });
});

describe("an attempt that a time limit ended", () => {
  test.each<[string, SvcOptions, () => Promise<Response> | Response, object]>([
    ["timeoutMs", { timeoutMs: 5 }, () => stalled(), { error: "TimeoutError", phase: "body" }],
    ["deadlineMs", { deadlineMs: 5 }, () => stalled(), { error: "TimeoutError", phase: "body" }],
    ["maxBodyBytes", { maxBodyBytes: 5 }, () => Response.json("123456"), { error: "ResponseError", phase: "body" }],
  ])("reports %s to listeners with the class of its error", async (_, bound, step, told) => {
    const events: SvcEvent[] = [];
    const onEvent = (event: SvcEvent) => void events.push(event);
    await rejection(send(clientOf(scriptedFetch(step), { ...bound, onEvent, maxRetries: 0 })));
    expect(events.find(({ type }) => type === "failure")).toMatchObject({ code: undefined, ...told });
  });

  test("aborts the signal that fetch got", async () => {
    const fetch = scriptedFetch(silence);
    await rejection(send(clientOf(fetch, { timeoutMs: 5, maxRetries: 0 })));
    expect(fetch.sent[0]?.signal.reason).toMatchObject({ message: "timeout" });
  });
});

test("a body that isn't bytes rejects like an interrupted response, and the message says why", async () => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue("text instead of bytes") });
  // The types know that a body is of bytes; `Response` finds out when it is read.
  const answer = new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>);
  const error = await rejectionOf(ConnectionError, send(clientOf(async () => answer, { maxRetries: 0 })));
  expect(error.message).toContain(
    "the response broke off from https://api.example.com (The body contains a piece that",
  );
});

test("a body that breaks off and can't be canceled rejects like any other", async () => {
  const reader = { read: () => Promise.reject(new Error("reset")), cancel: () => undefined };
  const answer = { status: 200, headers: new Headers(), body: { getReader: () => reader } };
  // @ts-expect-error: a broken fetch may return less than a Response.
  const svc = clientOf(async () => answer, { maxRetries: 0 });
  const error = await rejectionOf(ConnectionError, send(svc));
  expect(error.message).toContain("the response broke off from https://api.example.com (reset)");
});

/** The response of a fetch that hands out a body in these chunks, of whatever kind. */
function responseIn(chunks: readonly ArrayBufferView[], status = 200): Response {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>, { status });
}

test("a body in views of any kind is read as their bytes", async () => {
  const bytes = new TextEncoder().encode('x{"ok":true}');
  const chunks = () => [new DataView(bytes.buffer, 1, 5), new Uint8Array(), new Int8Array(bytes.buffer, 6, 6)];
  expect(await send(clientOf(async () => responseIn(chunks()), { maxRetries: 0 }))).toEqual({ ok: true });
  const { bytes: file } = await clientOf(async () => responseIn(chunks())).files.download(
    "https://storage.example/file",
  );
  expect(Buffer.from(file).toString()).toBe('{"ok":true}');
});

test("an error response keeps its status if fetch fails later, and frees its slot", async () => {
  const first = new Uint8Array(4);
  const fetch = async () => {
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(first),
      pull: () => void structuredClone(first.buffer, { transfer: [first.buffer] }),
    });
    return new Response(stream, { status: 500 });
  };
  const svc = clientOf(fetch, { timeoutMs: 20, maxRetries: 0 });
  expect(await rejection(send(svc))).toMatchObject({ status: 500 });
  expect(svc.rateLimit.inFlight).toBe(0);
});

test("only get() is called on a response's headers", async () => {
  const answer = { status: 429, headers: { get: () => null }, body: null };
  // As mocks are made, which know no more of a Response than they need.
  const svc = clientOf(async () => answer as unknown as Response, { maxRetries: 0 });
  expect(await rejection(send(svc))).toMatchObject({ status: 429 });
  expect(svc.rateLimit.inFlight).toBe(0);
});

test.each([
  [400, 17],
  [500, 17],
  [200, 40],
])("reads at most this many 64 KiB chunks of a response with status %i: %i", async (status, most) => {
  let given = 0;
  const body = new ReadableStream({
    pull(controller) {
      given += 1;
      controller.enqueue(new TextEncoder().encode(" ".repeat(65_536)));
      if (given === 40) controller.close();
    },
  });
  await rejection(send(clientOf(async () => new Response(body, { status }), { maxRetries: 0 })));
  // One more lies ready in the stream.
  expect(given).toBeGreaterThanOrEqual(most);
  expect(given).toBeLessThanOrEqual(Math.min(most + 1, 40));
});
