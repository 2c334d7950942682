import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { undiciFetch } from "../../src/undici/index.js";
import { answer, drips, type Move, type WireServer, wireServer, writes } from "../faults/wire.js";
import { rejection } from "../support/client.js";
import { settle } from "../support/clock.js";
import { sampled, sized } from "../support/size.js";
import { OURS } from "./both.js";

const REASON = { why: "the user went away" };
const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const unhandled = vi.fn();
process.on("unhandledRejection", unhandled);

const open: WireServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
  await settle();
  expect(unhandled).not.toHaveBeenCalled();
});

async function played(move: Move): Promise<WireServer> {
  const server = await wireServer(() => move);
  open.push(server);
  return server;
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await settle();
};

const HALF = "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf";
const ZIPPED = Buffer.concat([
  Buffer.from("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 99999\r\n\r\n"),
  gzipSync(Buffer.alloc(2 ** 22)).subarray(0, 2_000),
]);

describe.each(OURS)("an abort of %s", (name, fetch) => {
  // A `Request` listens itself, as long as it lives.
  const ofTheRuntime = name === "undiciFetch(request)" ? 1 : 0;

  test("before it starts opens no connection", async () => {
    const server = await played(writes(answer(200, "")));
    expect(await rejection(fetch(server.address, { signal: AbortSignal.abort(REASON) }))).toBe(REASON);
    await settle();
    expect(server.connections).toBe(0);
  });

  test("while it connects sends nothing", async () => {
    const server = await played(writes(answer(200, "")));
    const controller = new AbortController();
    const call = rejection(fetch(server.address, { signal: controller.signal, method: "POST", body: "x" }));
    controller.abort(REASON);
    expect(await call).toBe(REASON);
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(server.requests).toEqual([]);
  });

  test.each([
    ["while it waits for headers", writes("")],
    ["while headers come", writes("HTTP/1.1 200 OK\r\nx-half: ")],
    ["after early hints", writes("HTTP/1.1 103 Early Hints\r\n\r\n")],
  ])("%s rejects with the reason and closes the connection", async (_phase, move) => {
    const server = await played(move);
    const controller = new AbortController();
    const call = rejection(fetch(server.address, { signal: controller.signal }));
    await until(() => server.requests.length === 1);
    for (let turn = 0; turn < 5; turn += 1) await settle();
    controller.abort(REASON);
    expect(await call).toBe(REASON);
    await server.released();
    expect(listeners(controller.signal)).toBe(0);
  });

  test.each([
    ["in the body", writes(HALF)],
    ["in a body that drips", drips(HALF, " ", 5)],
    ["in a compressed body", writes(ZIPPED)],
  ])("%s ends the body with the reason and closes the connection", async (_phase, move) => {
    const server = await played(move);
    const controller = new AbortController();
    const response = await fetch(server.address, { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    const text = rejection(
      (async () => {
        while (!(await reader?.read())?.done);
      })(),
    );
    await settle();
    controller.abort(REASON);
    expect(await text).toBe(REASON);
    await server.released();
    expect(listeners(controller.signal)).toBe(0);
  });

  test("without a reason rejects with an AbortError, and with a falsy reason with that", async () => {
    const server = await played(writes(""));
    for (const [reason, expected] of [
      [undefined, { name: "AbortError" }],
      [null, null],
      [0, 0],
    ]) {
      const controller = new AbortController();
      const call = rejection(fetch(server.address, { signal: controller.signal }));
      controller.abort(reason);
      if (typeof expected === "object" && expected !== null) expect(await call).toMatchObject(expected);
      else expect(await call).toBe(expected);
    }
  });

  test("while a request body is awaited cancels the body", async () => {
    const server = await played(writes(""));
    let isCancelled = false;
    const body = new ReadableStream({
      pull: () => new Promise(() => undefined),
      cancel() {
        isCancelled = true;
      },
    });
    const controller = new AbortController();
    const init = { method: "POST", body, duplex: "half", signal: controller.signal } as RequestInit;
    const call = rejection(fetch(server.address, init));
    await settle();
    controller.abort(REASON);
    expect(await call).toBe(REASON);
    await until(() => isCancelled);
  });

  test("after the end changes nothing, and leaves no listener on the signal", async () => {
    const server = await played(writes(answer(200, "done")));
    const controller = new AbortController();
    const response = await fetch(server.address, { signal: controller.signal });
    expect(await response.text()).toBe("done");
    expect(listeners(controller.signal)).toBe(ofTheRuntime);
    controller.abort(REASON);
    expect(response).toMatchObject({ status: 200, bodyUsed: true });
  });

  test("by canceling the body closes the connection", async () => {
    const server = await played(writes(HALF));
    const { signal } = new AbortController();
    const response = await fetch(server.address, { signal });
    await response.body?.cancel();
    await server.released();
    expect(listeners(signal)).toBe(ofTheRuntime);
  });
});

test("a signal of 300 requests of undiciFetch() keeps no listener and causes no warning", async () => {
  const warned = vi.fn();
  process.on("warning", warned);
  const server = await played(writes(answer(200, "done")));
  const fetch = undiciFetch();
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 300 }, async () => await (await fetch(server.address, { signal })).text()));
  expect(listeners(signal)).toBe(0);
  process.off("warning", warned);
  expect(warned).not.toHaveBeenCalled();
});

describe("an abort after a garbage collection", () => {
  const form = new FormData();
  form.set("a", "b");
  const streamed = () => ({ body: new Response("streamed").body, duplex: "half" });
  const ours = undiciFetch();
  /** The arguments of a fetch, each form of which is read in another way. */
  const FORMS: Readonly<Record<string, (url: string, signal: AbortSignal) => [Request | string | URL, RequestInit?]>> =
    {
      "plain options": (url, signal) => [url, { signal }],
      "a Headers object": (url, signal) => [url, { headers: new Headers({ a: "b" }), signal }],
      "a name in capitals": (url, signal) => [url, { headers: { Accept: "text/plain" }, signal }],
      "a form": (url, signal) => [url, { method: "POST", body: form, signal }],
      "a blob": (url, signal) => [url, { method: "POST", body: new Blob(["blob"]), signal }],
      "a stream": (url, signal) => [url, { method: "POST", ...streamed(), signal } as RequestInit],
      "a request": (url, signal) => [new Request(url, { signal })],
      "a request with options": (url, signal) => [new Request(url, { signal }), { method: "POST", body: "text" }],
      "a request as options": (url, signal) => [url, new Request(url, { signal })],
      "a request whose signal is replaced": (url, signal) => [new Request(url), { signal }],
    };
  const collected = async () => {
    // Beside the modules of other tests, a collection takes a third of a second.
    for (let turn = 0; turn < sized(1, 3); turn += 1) {
      await settle();
      collectGarbage();
    }
  };

  test.each(sampled(Object.keys(FORMS), 4))("reaches a request made of %s", async (name) => {
    for (const begin of sized([HALF], ["", HALF])) {
      const server = await played(writes(begin));
      const controller = new AbortController();
      const [input = "", init] = FORMS[name]?.(server.address, controller.signal) ?? [];
      const call = ours(input, init);
      const text = rejection(call.then((response) => response.text()));
      await until(() => server.requests.length === 1);
      if (begin !== "") await call;
      await collected();
      controller.abort(REASON);
      expect(await text).toBe(REASON);
      await server.released();
    }
  });
});
