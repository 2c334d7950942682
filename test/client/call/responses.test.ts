import { describe, expect, test, vi } from "vitest";
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  ResponseError,
  ServerError,
  type Svc,
  type ToolResult,
  ValidationError,
} from "../../../src/index.js";
import { clientOf, emulated, rejectionOf, send } from "../../support/client.js";
import { cutOff, failure, scriptedFetch, stalled } from "../../support/scripted-fetch.js";

const json = (text: string, status = 200) =>
  new Response(text, { status, headers: { "content-type": "application/json" } });
const html = "<!doctype html><html><body>Please log in to the hotel's network</body></html>";

describe("a 2xx response without the promised data", () => {
  test.each<[string, Response, string, string | undefined]>([
    ["HTML", new Response(html, { headers: { "content-type": "text/html" } }), "looks like an HTML page", html],
    ["HTML behind blanks", new Response(" \n<p>"), "looks like an HTML page", " \n<p>"],
    ["HTML that is called JSON", json(html), "looks like an HTML page", html],
    ["nothing", json(""), "but without a body", undefined],
    ["blanks", json(" \n"), "but without a body", " \n"],
    ["204", new Response(null, { status: 204 }), "204, but without a body", undefined],
    ["205", new Response(null, { status: 205 }), "205, but without a body", undefined],
    ["null", json("null"), "a JSON null, not an object", "null"],
    ["a text", json('"done"'), "a JSON string, not an object", '"done"'],
    ["an object in a text", json('"{}"'), "a JSON string, not an object", '"{}"'],
    ["a number", json("42"), "a JSON number, not an object", "42"],
    ["true", json("true"), "a JSON boolean, not an object", "true"],
    ["an array", json("[1]"), "a JSON array, not an object", "[1]"],
    ["truncated JSON", json('{"items": [1, 2'), "starts like JSON, but is cut off or malformed", '{"items": [1, 2'],
    ["truncated JSON behind blanks", json(" \n[1"), "starts like JSON, but is cut off or malformed", " \n[1"],
    ["garbage after JSON", json('{"a":1}x'), "starts like JSON, but is cut off or malformed", '{"a":1}x'],
    ["NaN", json('{"a":NaN}'), "starts like JSON, but is cut off or malformed", '{"a":NaN}'],
    ["an XSSI prefix", json(")]}'\n{}"), "its content type is application/json", ")]}'\n{}"],
    ["plain text", new Response("OK"), "its content type is text/plain", "OK"],
    ["a text with brackets", new Response("OK<[{"), "its content type is text/plain", "OK<[{"],
    ["a text without a type", new Response(new Blob(["OK"])), "its content type is missing", "OK"],
    [
      "an error object",
      json('{"error":{"message":"no","code":1}}'),
      "an error object",
      '{"error":{"message":"no","code":1}}',
    ],
  ])("rejects %s", async (_, answer, problem, snippet) => {
    for (const retry of ["safe", "idempotent", "effect"] as const) {
      const fetch = scriptedFetch(answer);
      const error = await rejectionOf(ResponseError, send(clientOf(fetch), retry));
      expect(error).not.toBeInstanceOf(ApiError);
      expect(error.message).toContain(problem);
      // What may not act twice isn't requested again: the response says nothing about an effect.
      const attempts = retry === "effect" ? 1 : 3;
      expect(error).toMatchObject({ operation: `probe.${retry}`, status: answer.status, snippet, attempts });
      expect(error.outcome).toBe(retry === "effect" ? "unknown" : undefined);
      expect(fetch.sent).toHaveLength(attempts);
    }
  });

  test("the error's snippet has the first 200 characters, and its message has none of them", async () => {
    const error = await rejectionOf(
      ResponseError,
      send(clientOf(scriptedFetch(new Response(`<p>${"x".repeat(5_000)}`)))),
    );
    expect(error.snippet).toBe(`<p>${"x".repeat(197)}`);
    expect(error.message).not.toContain("xxx");
    expect(JSON.stringify(error).length).toBeLessThan(1_000);
  });

  test("rejects a list response that isn't a list", async () => {
    const list = clientOf(scriptedFetch(json("[]"))).tools.list();
    await rejectionOf(ResponseError, list);
  });
});

describe("a 2xx response with the promised data", () => {
  test.each<[string, Response]>([
    ["a byte order mark", json('\ufeff{"ok":true}')],
    ["another content type", new Response('{"ok":true}', { headers: { "content-type": "text/plain" } })],
    ["no content type", new Response(new Blob(['{"ok":true}']))],
    ["blanks around it", json(' \n{"ok":true}\r\n')],
    ["201", json('{"ok":true}', 201)],
    ["299", json('{"ok":true}', 299)],
    ["a field given twice, the last one counting", json('{"ok":false,"ok":true}')],
  ])("is read with %s", async (_, answer) => {
    expect(await send(clientOf(scriptedFetch(answer)))).toEqual({ ok: true });
  });

  test("keeps fields and values that this version does not know", async () => {
    const answer = { id: "ac_1", status: "PAUSED", brand_new: { deep: [1] }, name: null };
    expect(await clientOf(scriptedFetch(Response.json(answer))).authConfigs.get("ac_1")).toEqual(answer);
  });

  test.each([
    { error: { message: "no" }, ok: true },
    { error: "a text, as a tool's own error is" },
    { error: ["a list"] },
    { error: null },
    { message: { error: "nothing but another field" } },
  ])('may have a field named "error": %j', async (answer) => {
    expect(await send(clientOf(scriptedFetch(Response.json(answer))))).toEqual(answer);
  });

  test("doesn't confuse a field named like a member of Object.prototype with that member", async () => {
    const data = await send(clientOf(scriptedFetch(json('{"ok":true,"__proto__":{"polluted":1}}'))));
    expect(Object.hasOwn(data, "__proto__")).toBe(true);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("is read if it contains broken UTF-8 or is nested 60,000 levels deep", async () => {
    const broken = new Uint8Array([...new TextEncoder().encode('{"ok":"')].concat(0xff, 0xfe, 0x22, 0x7d));
    expect(await send(clientOf(scriptedFetch(new Response(broken))))).toEqual({ ok: "\ufffd\ufffd" });
    const deep = `{"ok":${"[".repeat(60_000)}${"]".repeat(60_000)}}`;
    expect(await send(clientOf(scriptedFetch(json(deep))))).toHaveProperty("ok");
  });

  test("is assembled from single bytes", async () => {
    const bytes = new TextEncoder().encode('{"ok":"grüße 👍"}');
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    expect(await send(clientOf(scriptedFetch(() => new Response(body))))).toEqual({ ok: "grüße 👍" });
  });
});

describe("204", () => {
  test("resolves to the data that the endpoint defines for it", async () => {
    const { data, meta } = await clientOf(scriptedFetch(new Response(null, { status: 204 })))
      .integrations.update("i_1", { enabled: true })
      .withResponse();
    expect(data).toEqual({ status: "success" });
    expect(meta.status).toBe(204);
    const { svc } = emulated();
    expect(await svc.integrations.update("integration-demo", { enabled: false })).toEqual({ status: "success" });
  });

  test("a 200 with a body resolves to the body", async () => {
    const svc = clientOf(scriptedFetch(json('{"status":"pending"}')));
    expect(await svc.integrations.update("i_1", {})).toEqual({ status: "pending" });
  });
});

describe("an operation that returns a list of strings", () => {
  test.each([
    ["an array", '["A","B"]'],
    ["a text that contains an array", JSON.stringify('["A","B"]')],
  ])("accepts %s", async (_, text) => {
    expect(await clientOf(scriptedFetch(json(text))).tools.listSlugs()).toEqual(["A", "B"]);
  });

  test.each([
    ['{"items":[]}', "a JSON object, not an array"],
    ['"A,B"', "a JSON string, not an array"],
    ['"{}"', "a JSON object, not an array"],
    ["null", "a JSON null, not an array"],
  ])("rejects %s", async (text, problem) => {
    const error = await rejectionOf(ResponseError, clientOf(scriptedFetch(json(text))).tools.listSlugs());
    expect(error.message).toContain(problem);
  });
});

describe("a redirect", () => {
  const to = (location: string | undefined, status: number) =>
    new Response(null, { status, headers: location === undefined ? {} : { location } });

  test.each([301, 302, 303, 307, 308])("rejects a %i and names its target's origin", async (status) => {
    const fetch = scriptedFetch(to("https://user:pw@evil.example/login?next=secret", status));
    const error = await rejectionOf(ResponseError, send(clientOf(fetch), "effect"));
    // Only these two ask for the same request elsewhere; the others may follow what was done.
    expect(error).toMatchObject({ status, outcome: status >= 307 ? "rejected" : "unknown" });
    expect(error.message).toContain(
      `responded with ${status}, a redirect to https://evil.example. Redirects aren't followed`,
    );
    expect(error.message).not.toMatch(/pw@|login|secret/);
    expect(fetch.sent.map(({ url }) => url.origin)).toEqual(["https://api.example.com"]);
  });

  test("isn't a 304, which a cache sends", async () => {
    const error = await rejectionOf(ResponseError, send(clientOf(scriptedFetch(to(undefined, 304)))));
    expect(error.message).toContain("responded with 304, but the request wasn't conditional. Is a cache in between?");
  });

  test.each([
    [undefined, "a redirect."],
    ["/login", "a redirect."],
    ["//evil.example/x", "a redirect."],
    ["not a url", "a redirect."],
    ["javascript:alert(1)", "a redirect to javascript:."],
    ["file:///etc/passwd", "a redirect to file:."],
  ])("rejects a redirect to %s", async (location, words) => {
    const error = await rejectionOf(ResponseError, send(clientOf(scriptedFetch(to(location, 302)))));
    expect(error.message).toContain(words);
  });

  test("isn't followed by the runtime's fetch either", async () => {
    const modes: string[] = [];
    const fetch = async ({ redirect }: Request) => {
      modes.push(redirect);
      return Response.json({ ok: true });
    };
    await send(clientOf(fetch));
    expect(modes).toEqual(["manual"]);
  });

  test("rejects a redirect that a browser hides", async () => {
    const opaque = new Response(null);
    Object.defineProperty(opaque, "status", { value: 0 });
    const error = await rejectionOf(ResponseError, send(clientOf(async () => opaque)));
    expect(error.message).toContain("The service redirects. Redirects aren't followed");
  });
});

describe("maxBodyBytes", () => {
  const endless = (status: number, onCancel = () => undefined) =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new TextEncoder().encode("x".repeat(1_000))),
        cancel: onCancel,
      }),
      { status },
    );

  test("stops reading a response at the limit and cancels the rest", async () => {
    const onCancel = vi.fn();
    const fetch = scriptedFetch(() => endless(201, onCancel));
    const error = await rejectionOf(ResponseError, send(clientOf(fetch, { maxBodyBytes: 10_000 }), "effect"));
    expect(error.message).toContain("larger than maxBodyBytes (10000)");
    expect(error).toMatchObject({ outcome: "unknown", status: 201, attempts: 1 });
    expect(onCancel).toHaveBeenCalledOnce();
    expect(fetch.sent).toHaveLength(1);
  });

  test("counts bytes, and accepts exactly that many", async () => {
    const text = '{"ok":"üü"}';
    const bytes = new TextEncoder().encode(text).length;
    expect(bytes).toBe(text.length + 2);
    await send(clientOf(scriptedFetch(json(text)), { maxBodyBytes: bytes }));
    await rejectionOf(ResponseError, send(clientOf(scriptedFetch(json(text)), { maxBodyBytes: bytes - 1 })));
  });

  test("an error response with an endless body keeps its status", async () => {
    const svc = clientOf(
      scriptedFetch(() => endless(401)),
      { maxBodyBytes: 10_000 },
    );
    const error = await rejectionOf(AuthenticationError, send(svc));
    expect(error.body).toBe("x".repeat(10_000));
  });
});

describe("a response that breaks off", () => {
  test("rejects with a ConnectionError and returns none of its body", async () => {
    const error = await rejectionOf(
      ConnectionError,
      send(clientOf(scriptedFetch(cutOff()), { maxRetries: 0 }), "effect"),
    );
    expect(error).toMatchObject({ phase: "body", code: "ECONNRESET", outcome: "unknown" });
    expect(error.message).toContain("the response broke off from https://api.example.com (ECONNRESET)");
  });

  test("an error response keeps its status and the received part of its body", async () => {
    const begin = '{"error":{"message":"Invalid';
    const svc = clientOf(scriptedFetch(() => cutOff(401, begin)));
    expect((await rejectionOf(AuthenticationError, send(svc))).body).toBe(begin);
    const late = clientOf(
      scriptedFetch(() => stalled(503, undefined, begin)),
      { timeoutMs: 5, maxRetries: 0 },
    );
    expect((await rejectionOf(ServerError, send(late))).body).toBe(begin);
  });

  test("behaves the same against the emulator", async () => {
    const { svc, emulator } = emulated();
    emulator.faults.next("toolkits.get", { connection: "truncate" });
    const { meta } = await svc.toolkits.get("github").withResponse();
    expect(meta.attempts).toBe(2);
  });
});

describe("a fetch that misbehaves", () => {
  test.each<[string, () => unknown]>([
    [
      "throws before it gives a promise",
      () => {
        throw new Error("no");
      },
    ],
    ["throws a text", () => Promise.reject("text")],
    ["throws nothing", () => Promise.reject(undefined)],
    ["gives nothing", () => undefined],
    ["gives a plain object", async () => ({ ok: true, status: 200 })],
    ["gives a text", async () => "ok"],
  ])("rejects with a ConnectionError: %s", async (_, act) => {
    // What a JavaScript program may hand over, whatever the type says.
    const fetch = act as () => Promise<Response>;
    const error = await rejectionOf(ConnectionError, send(clientOf(fetch, { maxRetries: 0 })));
    expect(error.message).not.toContain("[object Object]");
  });

  test("a body that was read before is a connection error", async () => {
    const used = Response.json({ ok: true });
    await used.text();
    await rejectionOf(ConnectionError, send(clientOf(async () => used, { maxRetries: 0 })));
  });
});

describe("a tool that failed", () => {
  const reverse = (svc: Svc, text: string): PromiseLike<ToolResult> =>
    svc.tools.execute("TEXTKIT_REVERSE", { version: "latest", arguments: { text } });

  test("resolves with successful: false", async () => {
    const { svc } = emulated();
    const good = await reverse(svc, "abc");
    expect(good).toMatchObject({ successful: true, data: { text: "cba" }, error: null });
    const bad = await reverse(svc, " ");
    expect(bad.successful).toBe(false);
    expect(bad.successful ? undefined : bad.error).toBe("There is nothing to reverse");
    expect(bad.data).toMatchObject({ status_code: 422 });
  });

  test("a missing argument resolves with successful: false", async () => {
    const { svc } = emulated();
    const run = await svc.tools.execute("TEXTKIT_REVERSE", { version: "latest", arguments: {} });
    expect(run).toMatchObject({ successful: false, error: expect.stringContaining("fields are missing: text") });
  });

  test("a proxied request resolves with the provider's status", async () => {
    const { svc } = emulated();
    const proxied = await svc.tools.proxy({
      endpoint: "/nowhere",
      method: "GET",
      connected_account_id: "ca_weather_demo",
    });
    expect(proxied.status).toBe(404);
  });

  test("an error of the service itself rejects", async () => {
    await rejectionOf(
      ApiError,
      clientOf(scriptedFetch(failure(404))).tools.execute("X", { version: "latest", arguments: {} }),
    );
  });
});

test.each([
  ["files.upload", (svc: Svc) => svc.files.upload(new Uint8Array(1), FILE), "the body has no key"],
  ["webhookSubscriptions.ensure", (svc: Svc) => svc.webhookSubscriptions.ensure(SUBSCRIPTION), "the body has no items"],
  ["toolRouter.create", (svc: Svc) => svc.toolRouter.create({ user_id: "u" }), "the body has no session_id"],
])("%s rejects a response without the fields that it needs", async (_, call, complaint) => {
  for (const answer of [{}, { key: null, items: null, session_id: null }]) {
    const error = await rejectionOf(ResponseError, call(clientOf(scriptedFetch(Response.json(answer)))));
    expect(error.message).toContain(complaint);
  }
});

test("a file's content that is neither Blob nor bytes is rejected before anything is sent", async () => {
  const fetch = scriptedFetch(Response.json({}));
  // What a JavaScript program may hand over, whatever the types say.
  await rejectionOf(ValidationError, clientOf(fetch).files.upload(null as never, FILE));
  await rejectionOf(ValidationError, clientOf(fetch).files.download(undefined as never));
  expect(fetch.sent).toEqual([]);
});

const FILE = { toolkit_slug: "drive", tool_slug: "DRIVE_UPLOAD", filename: "a.txt", mimetype: "text/plain" };
const SUBSCRIPTION = { webhook_url: "https://app.example/hook", enabled_events: ["svc.trigger.message" as const] };
