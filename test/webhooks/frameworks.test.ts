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
    onUnknown: ({ event }) => seen.push(event),
    onError: (error) => errors.push(error),
    ...options,
  });
  return { receiver, handler: toNodeHandler(receiver), seen, errors };
}

/** Starts a real server with the handler at /hook and tells its address. */
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
    const address = await app.listen({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => app.close());
    return `${address}/hook`;
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
  test.each(["untouched", "kept as bytes"] as const)("a delivery whose body is %s is handled once", async (parsing) => {
    const { handler, seen } = setUp();
    const url = await start(handler, parsing);
    const answers = [await fetch(deliver(TRIGGER_V3, { url })), await fetch(deliver(TRIGGER_V3, { url }))];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await Promise.all(answers.map((response) => response.json()))).toEqual([
      { result: "handled" },
      { result: "duplicate" },
    ]);
    expect(answers[0]?.headers.get("content-type")).toContain("application/json");
    expect(seen).toEqual([TRIGGER_V3]);
  });

  test("with its body parser on, the answer and the error say how to keep the raw body", async () => {
    const { handler, seen, errors } = setUp();
    const response = await fetch(deliver(TRIGGER_V3, { url: await start(handler, "parsed") }));
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { reason: "body_already_parsed" } });
    expect(String(errors[0])).toMatch(/express\.raw.*Fastify.*Koa/s);
    expect(seen).toEqual([]);
  });

  test("refusals keep their status and headers, and the connection stays of use", async () => {
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

  test("a body above the bound is 413, announced or streamed, and the next delivery still arrives", async () => {
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

/** Begins a body with this many pieces, and does not end it. Gives what came back until the server closed. */
async function flood(url: string, headers: Headers, piece: string, pieces: number): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += String(chunk);
  });
  // The server closes while this end still sends, which is an error here.
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`POST /hook HTTP/1.1\r\nhost: x\r\n${lines}transfer-encoding: chunked\r\n\r\n`);
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
  for (let index = 0; index < pieces; index++) socket.write(chunk);
  await closed;
  return answer;
}

describe.each(Object.entries(FRAMEWORKS))("%s, while the body has no end", (_name, start) => {
  test.each([
    ["413 for a body above the bound", "413", "x".repeat(65_536), 8, {}],
    ["400 for a header that is missing", "400", "x", 1, { "webhook-id": "" }],
    ["408 for a body that trickles", "408", "x", 1, {}],
  ])("answers %s, and closes the connection", async (_what, status, piece, pieces, changed) => {
    const { handler } = setUp({ bodyTimeoutMs: 20 });
    const { headers } = deliver(TRIGGER_V3);
    for (const [name, value] of Object.entries(changed)) headers.set(name, value);
    const answer = await flood(await start(handler, "untouched"), headers, piece, pieces);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nconnection: close\r\n`, "is"));
  });
});

test("stops reading at the bound of a body", async () => {
  const { handler } = setUp();
  const sockets: Socket[] = [];
  const url = await serve((request, response) => {
    sockets.push(request.socket);
    handler(request, response);
  });
  await flood(url, deliver(TRIGGER_V3).headers, "x".repeat(65_536), 500);
  // The bound is 100,000; what one read brings beyond it is in Node's hands already.
  expect(sockets.map(({ bytesRead }) => bytesRead < 1_000_000)).toEqual([true]);
});

test("runs nothing that is sent behind a body above the bound on the same connection", async () => {
  const { handler, seen } = setUp();
  const { port, hostname } = new URL(await serve(handler));
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += String(chunk);
  });
  const body = JSON.stringify(TRIGGER_V3);
  const head = (length: number) => {
    const lines = [...deliver(TRIGGER_V3).headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return `POST /hook HTTP/1.1\r\nhost: x\r\n${lines}content-length: ${length}\r\n\r\n`;
  };
  socket.write(head(100_001) + head(body.length) + body);
  await once(socket, "close");
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413"]);
  expect(seen).toEqual([]);
});

test("Hono: the receiver takes the raw request as it is", async () => {
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

test("a sender that hangs up in the middle of its body ends in a refusal, not in a crash", async () => {
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

test("a receiver that throws, and a method that Fetch does not know, are answered all the same", async () => {
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
