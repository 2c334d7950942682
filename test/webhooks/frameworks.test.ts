import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { bodyParser } from "@koa/bodyparser";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createReceiver, type VerifyOptions } from "../../src/webhooks/index.js";
import { toNodeHandler } from "../../src/webhooks/node.js";
import { serve } from "../support/ports.js";
import { TRIGGER_V3 } from "./samples.js";
import { deliver, now, SECRET } from "./vectors.js";

type Parsing = "untouched" | "parsed" | "kept as bytes";

function setUp(options: VerifyOptions = {}) {
  const seen: unknown[] = [];
  const errors: unknown[] = [];
  const receiver = createReceiver({
    secret: SECRET,
    now,
    maxBodyBytes: 100_000,
    on: { "svc.trigger.message": ({ event }) => seen.push(event) },
    onUnhandled: ({ event }) => seen.push(event),
    onError: (error) => errors.push(error),
    ...options,
  });
  return { receiver, handler: toNodeHandler(receiver), seen, errors };
}

/** Starts a real server with the handler at /hook and returns its URL. */
const FRAMEWORKS: Record<string, (handler: ReturnType<typeof toNodeHandler>, parsing: Parsing) => Promise<string>> = {
  async Express(handler, parsing) {
    const app = express();
    if (parsing === "parsed") app.use(express.json());
    if (parsing === "kept as bytes") app.use(express.raw({ type: "application/json" }));
    app.all("/hook", handler);
    return serve(app);
  },
  async Fastify(handler, parsing) {
    const app = fastify({ forceCloseConnections: true });
    if (parsing !== "parsed") app.removeAllContentTypeParsers();
    if (parsing === "untouched") app.addContentTypeParser("*", (_request, _payload, next) => next(null));
    if (parsing === "kept as bytes") {
      app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, next) => next(null, body));
    }
    app.all("/hook", handler);
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => app.close());
    return `${origin}/hook`;
  },
  async Koa(handler, parsing) {
    const app = new Koa();
    if (parsing === "parsed") app.use(bodyParser());
    if (parsing === "kept as bytes") {
      app.use(async (context, next) => {
        const chunks: Buffer[] = [];
        for await (const chunk of context.req) chunks.push(chunk);
        Object.assign(context.request, { rawBody: Buffer.concat(chunks) });
        await next();
      });
    }
    app.use(handler);
    const callback = app.callback();
    return serve((request, response) => void callback(request, response));
  },
  async "bare http"(handler, parsing) {
    return serve((request, response) => {
      if (parsing === "untouched") return handler(request, response);
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks);
        Object.assign(request, parsing === "parsed" ? { body: JSON.parse(body.toString()) } : { rawBody: body });
        handler(request, response);
      });
    });
  },
};

describe.each(Object.entries(FRAMEWORKS))("%s", (_name, start) => {
  test.each(["untouched", "kept as bytes"] as const)("handles a delivery whose body is %s once", async (parsing) => {
    const { handler, seen } = setUp();
    const url = await start(handler, parsing);
    const responses = [await fetch(deliver(TRIGGER_V3, { url })), await fetch(deliver(TRIGGER_V3, { url }))];
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await Promise.all(responses.map((response) => response.json()))).toEqual([
      { result: "handled" },
      { result: "duplicate" },
    ]);
    expect(responses[0]?.headers.get("content-type")).toContain("application/json");
    expect(seen).toEqual([TRIGGER_V3]);
  });

  test("explains how to keep the raw body if the body parser is on", async () => {
    const { handler, seen, errors } = setUp();
    const response = await fetch(deliver(TRIGGER_V3, { url: await start(handler, "parsed") }));
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { reason: "body_already_parsed" } });
    expect(String(errors[0])).toMatch(/express\.raw.*Fastify.*Koa/s);
    expect(seen).toEqual([]);
  });

  test("keeps the status and headers of rejections, and the connection stays usable", async () => {
    const { handler, seen } = setUp();
    const url = await start(handler, "untouched");
    const get = await fetch(url);
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await fetch(deliver(TRIGGER_V3, { url, secret: "wrong" }))).status).toBe(401);
    const twice = deliver(TRIGGER_V3, { url });
    twice.headers.append("webhook-id", "msg_2");
    expect((await fetch(twice)).status).toBe(400);
    expect((await fetch(deliver(TRIGGER_V3, { url }))).status).toBe(200);
    expect(seen).toHaveLength(1);
  });

  test("responds 413 to a body above maxBodyBytes, with content-length or streamed, and handles the next delivery", async () => {
    const { handler } = setUp();
    const url = await start(handler, "untouched");
    const large = { data: "x".repeat(3_000_000) };
    expect((await fetch(deliver(large, { url }))).status).toBe(413);
    const request = deliver(large, { url });
    const init = { method: "POST", headers: request.headers, body: request.body, duplex: "half" };
    expect((await fetch(url, init)).status).toBe(413);
    expect((await fetch(deliver(TRIGGER_V3, { url }))).status).toBe(200);
  });
});

/** Starts a body with this many chunks and doesn't end it. Returns everything received until the server closed. */
async function flood(url: string, headers: Headers, piece: string, pieces: number): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (chunk) => {
    received += String(chunk);
  });
  // The server closes while this end still sends, so this end gets an error.
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`POST /hook HTTP/1.1\r\nhost: x\r\n${lines}transfer-encoding: chunked\r\n\r\n`);
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
  for (let index = 0; index < pieces; index++) socket.write(chunk);
  await closed;
  return received;
}

describe.each(Object.entries(FRAMEWORKS))("%s, if the body doesn't end", (_name, start) => {
  test.each([
    ["413 for a body above maxBodyBytes", "413", "x".repeat(65_536), 8, {}],
    ["400 for a header that is missing", "400", "x", 1, { "webhook-id": "" }],
    ["408 for a body that trickles", "408", "x", 1, {}],
  ])("responds %s, and closes the connection", async (_what, status, piece, pieces, changed) => {
    const { handler } = setUp({ bodyTimeoutMs: 20 });
    const { headers } = deliver(TRIGGER_V3);
    for (const [name, value] of Object.entries(changed)) headers.set(name, value);
    const received = await flood(await start(handler, "untouched"), headers, piece, pieces);
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nconnection: close\r\n`, "is"));
  });
});

test("stops reading a body at maxBodyBytes", async () => {
  const { handler } = setUp();
  const sockets: Socket[] = [];
  const url = await serve((request, response) => {
    sockets.push(request.socket);
    handler(request, response);
  });
  await flood(url, deliver(TRIGGER_V3).headers, "x".repeat(65_536), 500);
  // The limit is 100,000 bytes; Node may already have read one more chunk.
  expect(sockets.map(({ bytesRead }) => bytesRead < 1_000_000)).toEqual([true]);
});

test("handles nothing sent after a body above maxBodyBytes on the same connection", async () => {
  const { handler, seen } = setUp();
  const { port, hostname } = new URL(await serve(handler));
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (chunk) => {
    received += String(chunk);
  });
  const body = JSON.stringify(TRIGGER_V3);
  const head = (length: number) => {
    const lines = [...deliver(TRIGGER_V3).headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return `POST /hook HTTP/1.1\r\nhost: x\r\n${lines}content-length: ${length}\r\n\r\n`;
  };
  socket.write(head(100_001) + head(body.length) + body);
  await once(socket, "close");
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413"]);
  expect(seen).toEqual([]);
});

test("handles the raw request of Hono unchanged", async () => {
  const { receiver, seen } = setUp();
  const app = new Hono().post("/hook", (context) => receiver(context.req.raw));
  expect((await app.request(deliver(TRIGGER_V3))).status).toBe(200);
  const careless = new Hono().post("/hook", async (context) => {
    await context.req.json();
    return receiver(context.req.raw);
  });
  expect((await careless.request(deliver(TRIGGER_V3))).status).toBe(500);
  expect(seen).toEqual([TRIGGER_V3]);
});

test("rejects a delivery whose sender disconnects in the middle of the body, and doesn't crash", async () => {
  const { handler, errors } = setUp();
  const url = await serve(handler);
  const aborting = new AbortController();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
    pull: () => new Promise((resolve) => setTimeout(() => resolve(aborting.abort()), 20)),
  });
  const { headers } = deliver(TRIGGER_V3);
  const init = { method: "POST", headers, body, duplex: "half", signal: aborting.signal };
  await expect(fetch(url, init)).rejects.toThrow();
  await expect.poll(() => errors, { interval: 5 }).toMatchObject([{ reason: "no_match" }]);
});

test("responds if the receiver throws, and to a method that Fetch doesn't allow", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const broken = await serve(toNodeHandler(() => Promise.reject(new Error("broken"))));
  expect((await fetch(deliver(TRIGGER_V3, { url: broken }))).status).toBe(500);
  expect(log).toHaveBeenCalledTimes(1);
  const url = new URL(await serve(setUp().handler));
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  socket.write("TRACE //%zz HTTP/1.1\r\nhost: x\r\nx-odd: \u00ff\r\n\r\n", "latin1");
  const [head] = await once(socket, "data");
  expect(String(head)).toMatch(/^HTTP\/1\.1 405 /);
});
