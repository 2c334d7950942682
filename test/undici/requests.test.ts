import { describe, expect, test } from "vitest";
import { undiciFetch } from "../../src/undici/index.js";
import { json, wireServer, writes } from "../faults/wire.js";
import { settle } from "../support/clock.js";
import { freePort, serve } from "../support/ports.js";
import { FETCHES, OURS } from "./both.js";

/** Tells the request that it received: method, path, headers and body. */
const echo = () =>
  serve((request, response) => {
    const { method, url, headers } = request;
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => {
      body += piece;
    });
    request.on("end", () => response.end(JSON.stringify({ method, url, headers, body })));
    // A client that breaks off is part of some tests.
    request.on("error", () => undefined);
  });

const post = (body: BodyInit, headers: Record<string, string> = {}): RequestInit => ({ method: "POST", headers, body });

/** A body whose pieces come one by one, each in a turn of its own. */
const slowly = (...pieces: readonly string[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      await settle();
      for (const piece of pieces.slice(0, 1)) controller.enqueue(new TextEncoder().encode(piece));
      pieces = pieces.slice(1);
      if (pieces.length === 0) controller.close();
    },
  });

describe.each(FETCHES)("a request of %s", (_, fetch) => {
  test.each([
    ["a string", post("hällo"), { "content-length": "6", "content-type": "text/plain;charset=UTF-8" }],
    [
      "a string with its type",
      post("{}", { "Content-Type": "application/json" }),
      { "content-type": "application/json" },
    ],
    ["bytes", post(new Uint8Array([104, 105])), { "content-length": "2" }],
    ["a part of a buffer", post(new Uint8Array([1, 104, 105, 2]).subarray(1, 3)), { "content-length": "2" }],
    ["an empty string", post(""), { "content-length": "0" }],
    ["parameters", post(new URLSearchParams("a=1")), { "content-length": "3" }],
    ["a blob", post(new Blob(["hi"], { type: "x/y" })), { "content-length": "2", "content-type": "x/y" }],
    ["no body, but a POST", { method: "POST" }, { "content-length": "0" }],
  ])("with %s has a content-length", async (_body, init, headers) => {
    const received = await (await fetch(await echo(), init)).json();
    expect(received.headers).toMatchObject(headers);
    expect(received.headers["transfer-encoding"]).toBeUndefined();
    if (init.body instanceof Uint8Array) expect(received.body).toBe("hi");
    if (typeof init.body === "string") expect(received.body).toBe(init.body);
  });

  test("with a stream is sent in chunks", async () => {
    const init = { ...post(slowly("one ", "", "two ", "three")), duplex: "half" } as RequestInit;
    const { headers, body } = await (await fetch(await echo(), init)).json();
    expect(headers).toMatchObject({ "transfer-encoding": "chunked" });
    expect(body).toBe("one two three");
  });

  test("that is a GET or a DELETE without a body has no content-length", async () => {
    for (const method of ["GET", "DELETE"]) {
      const received = await (await fetch(await echo(), { method })).json();
      expect(received.method).toBe(method);
      expect(received.headers["content-length"]).toBeUndefined();
    }
  });

  test("has the path and the query as they are, without the fragment", async () => {
    const { origin } = new URL(await echo());
    const { url } = await (await fetch(`${origin}/a%2Fb/ü/../c?x=%20&y=/?#hidden`)).json();
    expect(url).toBe("/a%2Fb/c?x=%20&y=/?");
  });

  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ["trims values", { a: " 1\t", b: "\r\n2 " }, { a: "1", b: "2" }],
    ["joins names that differ in case", { "X-A": "1", "x-a": "2" }, { "x-a": "1, 2" }],
    ["converts null and undefined to strings", { a: null, b: undefined }, { a: "null", b: "undefined" }],
    ["converts numbers", { a: 1 }, { a: "1" }],
  ])("%s of headers", async (_does, headers, sent) => {
    const init = { headers: headers as Record<string, string> };
    expect((await (await fetch(await echo(), init)).json()).headers).toMatchObject(sent);
  });

  test("doesn't send a host other than the URL's", async () => {
    const url = await echo();
    for (const name of ["host", "Host"]) {
      const { headers } = await (await fetch(url, { headers: { [name]: "elsewhere.example" } })).json();
      expect(headers.host).toBe(new URL(url).host);
    }
  });

  test.each([
    ["x-bad", "a\nb"],
    ["a b", "1"],
    ["x-wide", "中"],
  ])("rejects the header %j: %j", async (name, value) => {
    await expect(fetch(await echo(), { headers: { [name]: value } })).rejects.toThrow(TypeError);
  });

  test("accepts the encodings that it decodes, unless it sets accept-encoding", async () => {
    const url = await echo();
    expect((await (await fetch(url)).json()).headers["accept-encoding"]).toMatch(/gzip, deflate/);
    const { headers } = await (await fetch(url, { headers: { "Accept-Encoding": "identity" } })).json();
    expect(headers["accept-encoding"]).toBe("identity");
  });

  test("accepts headers in every form", async () => {
    const url = await echo();
    for (const headers of [{ "X-A": "1" }, [["x-a", "1"]], new Headers({ "x-a": "1" })] as HeadersInit[]) {
      expect((await (await fetch(url, { headers })).json()).headers["x-a"]).toBe("1");
    }
  });

  test("accepts a URL object", async () => {
    expect((await fetch(new URL(await echo()))).status).toBe(200);
  });

  test("accepts a Request with options", async () => {
    const request = new Request(await echo(), { method: "PUT", body: "old", headers: { "x-a": "1" } });
    const received = await (await fetch(request, { body: "new" })).json();
    expect(received).toMatchObject({ method: "PUT", body: "new", headers: { "x-a": "1" } });
  });

  test.each<[string, string, RequestInit]>([
    ["a GET with a body", "http://127.0.0.1:9000/", { body: "x" }],
    ["a URL with a password", "http://user:password@127.0.0.1:9000/", {}],
    ["no absolute URL", "/path", {}],
    ["a header that isn't one", "http://127.0.0.1:9000/", { headers: { "x-a": "1\r\nx-b: 2" } }],
    ["a header name that isn't one", "http://127.0.0.1:9000/", { headers: { "x a": "1" } }],
    ["a header beyond Latin-1", "http://127.0.0.1:9000/", { headers: { "x-a": "€" } }],
    ["a method that isn't one", "http://127.0.0.1:9000/", { method: "G T" }],
  ])("with %s rejects with a TypeError", async (_wrong, url, init) => {
    await expect(fetch(url, init)).rejects.toBeInstanceOf(TypeError);
  });

  test("whose body was read before rejects with a TypeError", async () => {
    const request = new Request("http://127.0.0.1:9000/", post("x"));
    await request.text();
    await expect(fetch(request)).rejects.toBeInstanceOf(TypeError);
  });

  test("whose body fails rejects with a TypeError that has the failure as its cause", async () => {
    const body = new ReadableStream({
      async pull(controller) {
        await settle();
        controller.error(new RangeError("the disk is full"));
      },
    });
    const error: unknown = await fetch(await echo(), { ...post(body), duplex: "half" } as RequestInit).catch(
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: "fetch failed", cause: { message: "the disk is full" } });
  });

  test("to a closed port rejects, and reports that nothing was sent", async () => {
    const error: unknown = await fetch(`http://127.0.0.1:${await freePort()}/`).catch((reason) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: "fetch failed", cause: { code: "ECONNREFUSED", syscall: "connect" } });
  });
});

describe.each(OURS)("a request of %s", (_, fetch) => {
  test("whose body is a stream of text rejects with a TypeError", async () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue("text") });
    const init = { ...post(body), duplex: "half" } as RequestInit;
    await expect(fetch(await echo(), init)).rejects.toBeInstanceOf(TypeError);
  });

  test("may get its response before its body has ended, and the rest of the body is canceled", async () => {
    const url = await serve((_request, response) => void response.writeHead(413).end("too large"));
    let isGivenUp = false;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        await settle();
        controller.enqueue(new Uint8Array(1_000));
      },
      cancel() {
        isGivenUp = true;
      },
    });
    const response = await fetch(url, { ...post(body), duplex: "half" } as RequestInit);
    expect(response.status).toBe(413);
    expect(await response.text()).toBe("too large");
    while (!isGivenUp) await settle();
  });

  test("reuses the connection of the previous one", async () => {
    const server = await wireServer(() => writes(json(200, { ok: true })));
    for (let n = 0; n < 5; n += 1) {
      expect(await (await fetch(server.address, post(`${n}`))).json()).toEqual({ ok: true });
      await settle();
    }
    expect(server).toMatchObject({ turns: 5, connections: 1 });
    await server.close();
  });

  test("is sent together with 63 others, each with its own response", async () => {
    const url = await echo();
    const bodies = await Promise.all(
      Array.from({ length: 64 }, async (_each, n) => (await (await fetch(url, post(`body ${n}`))).json()).body),
    );
    expect(bodies).toEqual(Array.from({ length: 64 }, (_each, n) => `body ${n}`));
  });
});

test("undiciFetch() declares that it accepts a URL and options", () => {
  expect(undiciFetch().acceptsInit).toBe(true);
});

test("after a 421, only the built-in fetch sends a request again by itself", async () => {
  const sent: number[] = [];
  for (const [, fetch] of FETCHES) {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      response.writeHead(421, { "content-length": 0 }).end();
    });
    expect((await fetch(url, post("{}"))).status).toBe(421);
    sent.push(requests);
  }
  // See the guide to retries: `attempts` doesn't count the second request.
  expect(sent).toEqual([2, 1, 1]);
});
