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
    onUnknown: () => undefined,
    onError: (error, { status }) => failures.push([error, status]),
  });
  return { receiver, failures, seen };
}

const advice = expect.objectContaining({
  name: "ConfigError",
  message:
    "The receiver was given no Request. On a Node server, mount toNodeHandler(receiver) of svc-sdk/webhooks/node.",
});

test.each<[string, (receiver: Receiver) => RequestListener]>([
  // No type lets it in, JavaScript does.
  ["http.createServer", (receiver) => receiver as unknown as RequestListener],
  ["Express", (receiver) => express().all("/hook", receiver)],
])("mounted in %s without toNodeHandler, it answers 500 and says to onError what to mount", async (_name, mount) => {
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
  "given %j, which is no Request, it resolves to 500",
  async (odd) => {
    const { receiver, failures } = setUp();
    // What no type allows, and JavaScript may pass.
    expect((await receiver(odd as unknown as Request)).status).toBe(500);
    expect(failures).toEqual([[advice, 500]]);
  },
);

test.each([{ params: {} }, { end: "2026-01-01" }, { end: () => expect.fail() }, { statusCode: 5 }, null, 5])(
  "%o, which a server of the Fetch API may pass beside a request, changes nothing",
  async (beside) => {
    const { receiver, seen } = setUp();
    // The type names no second argument, which leaves servers free to pass one.
    const fetchHandler = receiver as (request: Request, beside: unknown) => Promise<Response>;
    expect((await fetchHandler(deliver(TRIGGER_V3, { secret: "wrong" }), beside)).status).toBe(401);
    expect((await fetchHandler(deliver(TRIGGER_V3), beside)).status).toBe(200);
    expect(seen).toHaveLength(1);
  },
);

test.each([{ secret: SECRET }, undefined, "whsec_x"])("toNodeHandler(%j) is a ConfigError at once", (odd) => {
  // What no type allows, and JavaScript may pass.
  expect(() => toNodeHandler(odd as unknown as Receiver)).toThrow(
    new ConfigError("toNodeHandler takes a receiver, not its options: toNodeHandler(createReceiver({ … }))."),
  );
});

test.each(["rawBody", "body"])("toNodeHandler takes bytes of another realm that a parser kept as %s", async (name) => {
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
});

test("a failure without a delivery is logged without a gap where its id would stand", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const receiver = createReceiver({ secret: SECRET, on: {}, onUnknown: () => undefined });
  // What no type allows, and JavaScript may pass.
  await receiver({} as Request);
  expect(log.mock.calls).toEqual([["svc-sdk: webhook answered 500", advice]]);
});
