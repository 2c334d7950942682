import { describe, expect, test } from "vitest";
import { Svc, systemClock } from "../../src/index.js";
import { clientOf, probes } from "../support/client.js";
import { sized } from "../support/size.js";
import { TRANSPORT } from "../support/transport.js";
import { json, wireServer } from "./wire.js";

const call = (svc: Svc, n: number, retry: "safe" | "idempotent" | "effect") => svc.call(probes[retry], { body: { n } });

const CLASSES = ["safe", "idempotent", "effect"] as const;

describe("many simultaneous calls", () => {
  test("thousands of calls each get their own response, in whatever order responses arrive", async () => {
    const COUNT = sized(2_000, 10_000);
    const waiting: (() => void)[] = [];
    const answerSome = () => {
      // Every third of those that wait, the newest first: no order of theirs survives.
      for (let at = waiting.length - 1; at >= 0; at -= 3) waiting.splice(at, 1)[0]?.();
      if (waiting.length > 0) setImmediate(answerSome);
    };
    const svc = clientOf(
      async (request) => {
        const { n } = JSON.parse(await request.text());
        if (waiting.length === 0) setImmediate(answerSome);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return Response.json({ ok: n });
      },
      { clock: systemClock },
    );
    const calls = Array.from({ length: COUNT }, (_, n) => call(svc, n, CLASSES[n % 3] ?? "safe"));
    const results = await Promise.all(calls);
    expect(results.filter(({ ok }, n) => Number(ok) !== n)).toEqual([]);
    expect(results).toHaveLength(COUNT);
  });

  test("hundreds of calls over sockets each get their own response or their own error", async () => {
    const server = await wireServer(() => ({
      on: "request",
      play: (socket, request) => {
        const { n } = JSON.parse(request.slice(request.indexOf("\r\n\r\n")));
        // Each tenth connection breaks in the middle of a response.
        if (n % 10 === 9) socket.end(json(200, { ok: n }).subarray(0, -3));
        else socket.write(json(n % 10 === 4 ? 404 : 200, { ok: n, message: `no ${n}.` }));
      },
    }));
    const svc = new Svc({ apiKey: "ak_test", baseUrl: server.address, env: {}, maxRetries: 0, ...TRANSPORT });
    const results = await Promise.allSettled(
      Array.from({ length: sized(200, 1_000) }, (_, n) => call(svc, n, "effect")),
    );
    await server.close();
    const wrong = results.filter((result, n) => {
      if (n % 10 === 9) return result.status === "fulfilled" || !/broke off/.test(String(result.reason));
      if (n % 10 === 4) return result.status === "fulfilled" || !String(result.reason).includes(` no ${n}.`);
      return result.status === "rejected" || Number(result.value.ok) !== n;
    });
    expect(wrong).toEqual([]);
    expect(server.turns).toBe(sized(200, 1_000));
  });
});
