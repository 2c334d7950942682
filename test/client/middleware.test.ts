import { describe, expect, test } from "vitest";
import {
  type Middleware,
  observe,
  RetryBudget,
  ServerError,
  type SvcEvent,
  shareRetryBudget,
  TimeoutError,
  ValidationError,
} from "../../src/index.js";
import { clientOf, probes, rejection, rejectionOf, send } from "../support/client.js";
import { failure, type Step, scriptedFetch } from "../support/scripted-fetch.js";

const ok = () => Response.json({ ok: true });

/** A client of a scripted service, and what it sent. */
function clientWith(use: readonly Middleware[], ...answers: readonly Step[]) {
  const fetch = scriptedFetch(...(answers.length > 0 ? answers : [ok]));
  return { fetch, svc: clientOf(fetch, { use }) };
}

describe("middleware", () => {
  test("sees calls in its order, and results in the opposite order", async () => {
    const seen: string[] = [];
    const noting =
      (name: string): Middleware =>
      async (_call, next) => {
        seen.push(`${name} before`);
        const result = await next();
        seen.push(`${name} after`);
        return result;
      };
    const { svc } = clientWith([noting("first"), noting("second"), noting("third")]);
    await send(svc);
    expect(seen).toEqual([
      "first before",
      "second before",
      "third before",
      "third after",
      "second after",
      "first after",
    ]);
  });

  test("resolves to the result of the first, whatever the others return", async () => {
    const answering =
      (data: string): Middleware =>
      async (_call, next) => ({ ...(await next()), data });
    const { svc } = clientWith([answering("outer"), answering("inner")]);
    expect(await send(svc)).toBe("outer");
  });

  test("sees retries as one call", async () => {
    let calls = 0;
    const counting: Middleware = (_call, next) => {
      calls += 1;
      return next();
    };
    const { svc, fetch } = clientWith([counting], failure(503), ok());
    const { meta } = await send(svc).withResponse();
    expect([calls, meta.attempts, fetch.sent.length]).toEqual([1, 2, 2]);
  });

  test("sees each page of an iteration as a call", async () => {
    const queries: unknown[] = [];
    const noting: Middleware = (call, next) => {
      queries.push(call.input.query);
      return next();
    };
    const { svc } = clientWith(
      [noting],
      Response.json({ items: [], next_cursor: "c1" }),
      Response.json({ items: [], next_cursor: null }),
    );
    for await (const _ of svc.tools.list({ limit: 3 })) expect.unreachable();
    expect(queries).toEqual([{ limit: 3 }, { limit: 3, cursor: "c1" }]);
  });

  test("sees a file transfer as a call without a path", async () => {
    const names: unknown[] = [];
    const noting: Middleware = (call, next) => {
      names.push([call.endpoint.name, call.endpoint.method, call.endpoint.path]);
      return next();
    };
    const { svc } = clientWith([noting], () => new Response("bytes"));
    await svc.files.download("https://storage.example/f?signature=CANARY");
    expect(names).toEqual([["files.download", "GET", ""]]);
  });

  test("gets the call's name, input, final input and options", async () => {
    let known: unknown;
    const looking: Middleware = (call, next) => {
      const { endpoint, input, sent, options, signal } = call;
      known = { name: endpoint.name, retry: endpoint.retry, input, sent, options, signal };
      return next();
    };
    const fetch = scriptedFetch(ok());
    const svc = clientOf(fetch, { use: [looking], toolVersions: { GITHUB_A: "20251023_00" } });
    await svc.tools.execute("GITHUB_A", { user_id: "ada" }, { priority: "high" });
    expect(known).toEqual({
      name: "tools.execute",
      retry: "effect",
      input: { params: { tool_slug: "GITHUB_A" }, body: { user_id: "ada" } },
      sent: { params: { tool_slug: "GITHUB_A" }, body: { user_id: "ada", version: "20251023_00" } },
      options: { priority: "high" },
      signal: undefined,
    });
  });

  test("sees a different number for each call, across all clients", async () => {
    const ids: number[] = [];
    const noting: Middleware = (call, next) => {
      ids.push(call.callNumber);
      return next();
    };
    for (const { svc } of [clientWith([noting]), clientWith([noting])]) await Promise.all([send(svc), send(svc)]);
    expect(new Set(ids).size).toBe(4);
  });

  test("belongs to one client: nothing is shared by default", async () => {
    const { fetch } = clientWith([]);
    await send(clientOf(fetch));
    expect(fetch.sent).toHaveLength(1);
  });
});

describe("one middleware", () => {
  test("changes the request by assigning call.input", async () => {
    const adding: Middleware = (call, next) => {
      call.input = { ...call.input, body: { added: true } };
      return next();
    };
    const { svc, fetch } = clientWith([adding]);
    await send(svc);
    expect(fetch.sent[0]?.body).toEqual({ added: true });
  });

  test.each([
    ["a string as query", { query: "a=b" }],
    ["an array as query", { query: ["a"] }],
    ["no object", "a=b"],
  ])("sends nothing if it sets %s as input", async (_, input) => {
    const fetch = scriptedFetch(ok);
    const wrong: Middleware = (call, next) => {
      // As untyped code does.
      Reflect.set(call, "input", input);
      return next();
    };
    const error = await rejectionOf(ValidationError, send(clientOf(fetch, { use: [wrong] })));
    expect(error.message).toMatch(/^probe\.safe: the (filters|input) must be an object/);
    expect(fetch.sent).toEqual([]);
  });

  test("can't change an endpoint, which all clients share", async () => {
    const changed: unknown[] = [];
    const tries: Middleware = (call, next) => {
      const { endpoint } = call;
      changed.push(Reflect.set(endpoint, "retry", "safe"), Reflect.set(endpoint.auth, 0, "orgApiKey"));
      changed.push(endpoint.alreadyApplied && Reflect.set(endpoint.alreadyApplied.statuses, 0, 500));
      return next();
    };
    const svc = clientOf(scriptedFetch(Response.json({ data: {}, successful: true, error: null })), { use: [tries] });
    await svc.tools.execute("A_TOOL", { user_id: "u", version: "latest", arguments: {} });
    await svc.triggers.disable("ti_1");
    expect(changed).toEqual([false, false, undefined, false, false, false]);
  });

  test("sees its new input with the tool's version in call.sent", async () => {
    const bodies: unknown[] = [];
    const redirecting: Middleware = (call, next) => {
      bodies.push(call.sent.body);
      call.input = { ...call.input, params: { tool_slug: "GITHUB_B" } };
      bodies.push(call.sent.body);
      call.versions = { ...call.versions, toolVersions: new Map([["GITHUB_B", "20990101_00"]]) };
      bodies.push(call.sent.body);
      return next();
    };
    const fetch = scriptedFetch(ok());
    const toolVersions = { GITHUB_A: "20250101_00", GITHUB_B: "20250202_00" };
    await clientOf(fetch, { use: [redirecting], toolVersions }).tools.execute("GITHUB_A", {});
    expect(bodies).toEqual([{ version: "20250101_00" }, { version: "20250202_00" }, { version: "20990101_00" }]);
    expect(fetch.sent[0]?.target).toBe("/api/v3.1/tools/execute/GITHUB_B");
    expect(fetch.sent[0]?.body).toEqual({ version: "20990101_00" });
  });

  test("replaces the result and its meta", async () => {
    const replacing: Middleware = async (_call, next) => {
      const { meta } = await next();
      return { data: { ok: "replaced" }, meta: { ...meta, requestId: "mine" } };
    };
    const { svc } = clientWith([replacing]);
    const { data, meta } = await send(svc).withResponse();
    expect(data).toEqual({ ok: "replaced" });
    expect(meta).toMatchObject({ requestId: "mine", attempts: 1 });
  });

  test("sends nothing if it throws before next, and the call rejects with the same error", async () => {
    const reason = new Error("not today");
    const refusing: Middleware = async () => {
      throw reason;
    };
    const { svc, fetch } = clientWith([refusing]);
    expect(await rejection(send(svc, "effect"))).toBe(reason);
    expect(fetch.sent).toEqual([]);
  });

  test("rejects the call if it throws synchronously", async () => {
    const reason = new Error("not today");
    const refusing: Middleware = () => {
      throw reason;
    };
    const { svc, fetch } = clientWith([refusing]);
    const call = send(svc);
    expect(await rejection(call)).toBe(reason);
    expect(fetch.sent).toEqual([]);
  });

  test("gets the call's typed error and may replace it", async () => {
    const translating: Middleware = (_call, next) =>
      next().catch((error: unknown) => {
        throw error instanceof ServerError ? new Error("translated", { cause: error }) : error;
      });
    const { svc } = clientWith([translating], failure(500));
    const error = await rejectionOf(Error, send(svc, "effect"));
    expect(error.message).toBe("translated");
    expect(error.cause).toMatchObject({ outcome: "unknown", attempts: 1 });
  });

  test("may turn an error into a result", async () => {
    const meta = { ...(await send(clientWith([]).svc).withResponse()).meta };
    const { svc } = clientWith([(_call, next) => next().catch(() => ({ data: "a default", meta }))], failure(500));
    expect(await send(svc, "effect")).toBe("a default");
  });

  test("may return a result without next, and nothing is sent", async () => {
    const { meta } = await send(clientWith([]).svc).withResponse();
    const { svc, fetch } = clientWith([async () => ({ data: "from a cache", meta })]);
    expect(await send(svc)).toBe("from a cache");
    expect(fetch.sent).toEqual([]);
  });

  test.each<[string, Middleware]>([
    [
      "one after the other",
      async (_call, next) => {
        await next();
        return next();
      },
    ],
    ["at the same time", async (_call, next) => (await Promise.all([next(), next()]))[0]],
    ["after a failure", (_call, next) => next().catch(() => next())],
  ])("rejects the call if it calls next twice, %s, and only one request is sent", async (title, twice) => {
    const answer = title === "after a failure" ? failure(500) : ok();
    const { svc, fetch } = clientWith([twice], answer);
    const error = await rejectionOf(TypeError, send(svc, "effect"));
    expect(error.message).toBe("next() was called twice. A call that may have run is never sent again.");
    expect(fetch.sent).toHaveLength(1);
  });

  test.each<[string, (call: unknown, next: () => Promise<{ readonly data: unknown }>) => unknown]>([
    ["nothing", async (_call, next) => void (await next())],
    ["nothing, and doesn't wait", (_call, next) => void next()],
    ["the data alone", async (_call, next) => (await next()).data],
  ])("rejects the call with a TypeError that says what to return if it returns %s", async (_title, broken) => {
    // A program without types may return anything.
    const { svc } = clientWith([observe(() => undefined), broken as Middleware]);
    const error = await rejectionOf(TypeError, send(svc).withResponse());
    expect(error.message).toBe("probe.safe: a middleware returned no result. Return what next() resolves with.");
  });

  test("stops waiting at the call's deadline if it passes call.signal on", async () => {
    const waiting: Middleware = async (call, next) => {
      await new Promise((_resolve, reject) => {
        call.signal?.addEventListener("abort", () => reject(call.signal?.reason));
      });
      return next();
    };
    const { svc, fetch } = clientWith([waiting]);
    const error = await rejectionOf(TimeoutError, send(svc, "safe", { deadlineMs: 5 }));
    expect(error).toMatchObject({ option: "deadlineMs", attempts: 0, phase: "middleware" });
    expect(error.message).toContain("timed out in a function of `use`.");
    const controller = new AbortController();
    const aborted = rejection(send(svc, "safe", { signal: controller.signal }));
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    expect(fetch.sent).toEqual([]);
  });

  test("is the phase in which the deadline passes after a failed call", async () => {
    const late: Middleware = async (call, next) => {
      await rejectionOf(ServerError, next());
      await new Promise((resolve) => call.signal?.addEventListener("abort", resolve));
      throw call.signal?.reason;
    };
    const { svc } = clientWith([late], failure(503));
    const error = await rejectionOf(TimeoutError, send(svc, "effect", { deadlineMs: 50 }));
    expect(error).toMatchObject({ option: "deadlineMs", attempts: 1, phase: "middleware" });
  });

  test("sends nothing if it waited past the deadline", async () => {
    const late: Middleware = async (call, next) => {
      await new Promise((resolve) => call.signal?.addEventListener("abort", resolve));
      return next();
    };
    const { svc, fetch } = clientWith([late]);
    await rejectionOf(TimeoutError, send(svc, "effect", { deadlineMs: 5 }));
    expect(fetch.sent).toEqual([]);
  });

  test("sets another retry budget for a call", async () => {
    const budget = new RetryBudget();
    const { svc } = clientWith([shareRetryBudget(budget)], failure(503), ok());
    const before = budget.tokens;
    await send(svc);
    expect(budget.tokens).toBeLessThan(before);
  });
});

describe("call.send", () => {
  test("uses the same client, with its middleware and key and a different number", async () => {
    const seen: string[] = [];
    const ids = new Set<number>();
    const asking: Middleware = async (call, next) => {
      ids.add(call.callNumber);
      seen.push(call.endpoint.name);
      if (call.endpoint.name === "probe.effect") {
        const { data, meta } = await call.send(probes.safe, { body: { asked: true } });
        seen.push(`${JSON.stringify(data)} ${meta.operation}`);
      }
      return next();
    };
    const { svc, fetch } = clientWith([asking]);
    await send(svc, "effect");
    expect(seen).toEqual(["probe.effect", "probe.safe", '{"ok":true} probe.safe']);
    expect(ids.size).toBe(2);
    expect(fetch.sent.map(({ headers }) => headers.get("x-api-key"))).toEqual(["ak_test", "ak_test"]);
  });

  test("takes its own options, and rejects invalid ones", async () => {
    const asking: Middleware = async (call, next) => {
      if (call.endpoint.name === "probe.safe") return next();
      return call.send(probes.safe, {}, { maxRetries: -1 });
    };
    const { svc, fetch } = clientWith([asking]);
    expect((await rejectionOf(ValidationError, send(svc, "effect"))).operation).toBe("probe.safe");
    expect(fetch.sent).toEqual([]);
  });
});

describe("a listener that a middleware adds with observe", () => {
  test("hears everything from then on, each event once", async () => {
    const heard: string[][] = [[], []];
    const listening =
      (index: number): Middleware =>
      (call, next) =>
        observe(({ type }) => void heard[index]?.push(type))(call, next);
    const { svc } = clientWith([listening(0), listening(1)], failure(503), ok());
    await send(svc);
    const all = ["request", "attempt", "response", "retry", "attempt", "response", "result"];
    expect(heard).toEqual([all, all]);
  });

  test("hears what later middleware emits, with the call's facts", async () => {
    const events: SvcEvent[] = [];
    const heard: boolean[] = [];
    const warning: Middleware = (call, next) => {
      heard.push(call.emit({ type: "warning", message: "careful" }));
      return next();
    };
    const { svc } = clientWith([warning, observe((event) => void events.push(event)), warning]);
    await send(svc);
    expect(heard).toEqual([false, true]);
    expect(events.filter(({ type }) => type === "warning")).toMatchObject([
      { type: "warning", message: "careful", operation: "probe.safe", callNumber: expect.any(Number) },
    ]);
  });

  test("hears start and end of a call that middleware rejects before it is sent", async () => {
    const types: string[] = [];
    const refusing: Middleware = async () => {
      throw new Error("not today");
    };
    const { svc } = clientWith([observe(({ type }) => void types.push(type)), refusing]);
    await rejection(send(svc));
    expect(types).toEqual(["request", "result"]);
  });

  test("hears the result that the caller gets, as middleware changed it", async () => {
    const results: unknown[] = [];
    const failing: Middleware = async (_call, next) => {
      await next();
      throw new ValidationError("probe.effect", "no");
    };
    const hearing = observe((event) => event.type === "result" && results.push([event.succeeded, event.error]));
    const { svc } = clientWith([hearing, failing]);
    await rejection(send(svc, "effect"));
    expect(results).toEqual([[false, "MiddlewareError"]]);
  });
});
