import type { RequestListener } from "node:http";
import { runInNewContext } from "node:vm";
import express from "express";
import { expect, onTestFinished, test, vi } from "vitest";
import { ConfigError, createReceiver, type Receiver } from "../../src/webhooks/index.js";
import { toNodeHandler } from "../../src/webhooks/node.js";
import { serve } from "../support/ports.js";
import { TRIGGER_V3 } from "./samples.js";
import { deliver, now, SECRET } from "./vectors.js";

function setUp() {
  const failures: [unknown, number][] = [];
  const seen: unknown[] = [];
  const receiver = createReceiver({
    secret: SECRET,
    now,
    on: { "svc.trigger.message": ({ event }) => seen.push(event) },
    onUnhandled: () => undefined,
    onError: (error, { status }) => failures.push([error, status]),
  });
  return { receiver, failures, seen };
}

const advice = expect.objectContaining({
  name: "ConfigError",
  message:
    "createReceiver: the receiver was called without a Request. On a Node server, mount toNodeHandler(receiver) from svc-sdk/webhooks/node.",
});

test.each<[string, (receiver: Receiver) => RequestListener]>([
  // The types forbid this, but JavaScript can do it.
  ["http.createServer", (receiver) => receiver as unknown as RequestListener],
  ["Express", (receiver) => express().all("/hook", receiver)],
])("responds 500 if mounted in %s without toNodeHandler, and the error says what to mount", async (_name, mount) => {
  const { receiver, failures, seen } = setUp();
  const url = await serve(mount(receiver));
  expect((await fetch(url)).status).toBe(500);
  expect((await fetch(deliver(TRIGGER_V3, { url }))).status).toBe(500);
  expect(failures).toEqual([
    [advice, 500],
    [advice, 500],
  ]);
  expect(seen).toEqual([]);
});

test.each([undefined, null, "POST", {}, { headers: { "webhook-id": "msg_1" } }])(
  "responds 500 if called with %j instead of a Request",
  async (odd) => {
    const { receiver, failures } = setUp();
    // The types forbid this, but JavaScript can pass it.
    expect((await receiver(odd as unknown as Request)).status).toBe(500);
    expect(failures).toEqual([[advice, 500]]);
  },
);

test.each([
  ["req", (request: Request) => ({ req: request, headers: request.headers, method: "POST" })],
  ["request", (request: Request) => ({ request, locals: {} })],
  ["req.raw", (request: Request) => ({ req: { raw: request, method: "POST" }, env: {} })],
])("responds 500 if called with a context whose %s is the Request, and names it", async (place, contextOf) => {
  const { receiver, failures, seen } = setUp();
  // The types forbid this, but JavaScript can pass it.
  const context = contextOf(deliver(TRIGGER_V3)) as unknown as Request;
  expect((await receiver(context)).status).toBe(500);
  const message = `createReceiver: the receiver was called without a Request. The argument isn't one, but its ${place} is: pass that.`;
  expect(failures).toEqual([[expect.objectContaining({ name: "ConfigError", message }), 500]]);
  expect(seen).toEqual([]);
});

test.each([{ params: {} }, { end: "2026-01-01" }, { end: () => expect.fail() }, { statusCode: 5 }, null, 5])(
  "ignores %o as a second argument, which Fetch API servers may pass",
  async (second) => {
    const { receiver, seen } = setUp();
    // The type has no second argument, but servers may pass one.
    const fetchHandler = receiver as (request: Request, second: unknown) => Promise<Response>;
    expect((await fetchHandler(deliver(TRIGGER_V3, { secret: "wrong" }), second)).status).toBe(401);
    expect((await fetchHandler(deliver(TRIGGER_V3), second)).status).toBe(200);
    expect(seen).toHaveLength(1);
  },
);

test.each([{ secret: SECRET }, undefined, "whsec_x"])("toNodeHandler(%j) throws a ConfigError", (odd) => {
  // The types forbid this, but JavaScript can pass it.
  expect(() => toNodeHandler(odd as unknown as Receiver)).toThrow(
    new ConfigError("toNodeHandler: The argument isn't a receiver. Pass createReceiver({ … }), not its options."),
  );
});

test.each(["rawBody", "body"])(
  "toNodeHandler accepts bytes of another realm that a parser kept as %s",
  async (name) => {
    const { receiver, failures, seen } = setUp();
    const handler = toNodeHandler(receiver);
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        const bytes: unknown = runInNewContext("Uint8Array.from(bytes)", { bytes: [...Buffer.concat(chunks)] });
        expect(bytes).not.toBeInstanceOf(Uint8Array);
        handler(Object.assign(request, { [name]: bytes }), response);
      });
    });
    expect((await fetch(deliver(TRIGGER_V3, { url }))).status).toBe(200);
    expect(failures).toEqual([]);
    expect(seen).toEqual([TRIGGER_V3]);
  },
);

test("logs an error without a delivery id if there is no delivery", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const receiver = createReceiver({ secret: SECRET, on: {}, onUnhandled: () => undefined });
  // The types forbid this, but JavaScript can pass it.
  await receiver({} as Request);
  expect(log.mock.calls).toEqual([["svc-sdk: webhook: responded 500", advice]]);
});
