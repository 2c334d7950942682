import { describe, expect, test } from "vitest";
import { endpoint, type SvcEvent, TimeoutError, typed } from "../../../src/index.js";
import { clientOf, rejection, rejectionOf, send, type TestOptions } from "../../support/client.js";
import { fakeClock, heldClock, settle } from "../../support/clock.js";
import { failure, type Step, scriptedFetch, silence } from "../../support/scripted-fetch.js";

/** A client whose events are kept. */
function observed(steps: readonly Step[], options: TestOptions = {}) {
  const events: SvcEvent[] = [];
  const onEvent = (event: SvcEvent) => void events.push(event);
  const svc = clientOf(scriptedFetch(...steps), { onEvent, ...options });
  return { svc, events, deprecations: () => events.filter((event) => event.type === "deprecation") };
}

const old = endpoint({
  name: "old.list",
  method: "GET",
  path: "/api/{apiVersion}/old",
  auth: [],
  retry: "safe",
  deprecated: ["operation", "query.filter.by"],
  query: typed<{ readonly filter?: { readonly by?: string } | null | undefined }>(),
  response: typed<object>(),
});

describe("a deprecation is reported to onEvent", () => {
  test("once for each operation and each of its inputs, the first time it is used", async () => {
    const { svc, deprecations } = observed([Response.json({})]);
    await svc.call(old, { query: {} });
    expect(deprecations().map(({ subject }) => subject)).toEqual(["operation"]);
    await svc.call(old, { query: { filter: { by: "age" } } });
    await svc.call(old, { query: { filter: { by: "age" } } });
    await svc.call({ ...old, name: "old.again" }, { query: {} });
    expect(deprecations().map(({ operation, subject }) => `${operation} ${subject}`)).toEqual([
      "old.list operation",
      "old.list query.filter.by",
      "old.again operation",
    ]);
  });

  test("for one value of an input whose other values are current", async () => {
    const { svc, deprecations } = observed([Response.json({})]);
    const enabled_events = ["svc.trigger.message"];
    for (const version of ["V3", "V1"] as const) {
      await svc.webhookSubscriptions.create({ webhook_url: "https://app.example/hook", enabled_events, version });
    }
    expect(deprecations().map(({ operation, subject }) => `${operation} ${subject}`)).toEqual([
      "webhookSubscriptions.create body.version=V1",
    ]);
  });

  test("but not for an absent input, whatever the body is instead", async () => {
    const { svc, deprecations } = observed([Response.json({})]);
    for (const filter of [null, undefined, {}])
      await svc.call({ ...old, deprecated: ["query.filter.by"] }, { query: { filter } });
    expect(deprecations()).toEqual([]);
  });

  test.each([
    [{ deprecation: "@1767225600" }, { deprecation: "@1767225600", sunset: undefined }],
    [{ sunset: "soon" }, { deprecation: undefined, sunset: "soon" }],
    [{ sunset: "s".repeat(101) }, { deprecation: undefined, sunset: "s".repeat(100) }],
  ])("for a response's headers: %o", async (headers, told) => {
    const { svc, deprecations } = observed([Response.json({ ok: true }, { headers })]);
    await send(svc);
    expect(deprecations()).toMatchObject([{ subject: "operation", ...told }]);
  });
});

describe("a request's id is reported to onEvent", () => {
  test("with at most 200 characters", async () => {
    const { svc, events } = observed([Response.json({ ok: true }, { headers: { "x-request-id": "r".repeat(201) } })]);
    await send(svc);
    expect(events.find(({ type }) => type === "response")).toMatchObject({ requestId: "r".repeat(200) });
  });
});

describe("the result event of a call", () => {
  test("shows how long it took, whenever it started", async () => {
    const clock = fakeClock();
    clock.advance(5_000);
    const step = () => {
      clock.advance(40);
      return Response.json({ ok: true });
    };
    const { svc, events } = observed([step], { clock });
    await send(svc);
    expect(events.at(-1)).toMatchObject({ type: "result", durationMs: 40 });
  });

  test("has a TimeoutError of the deadline if that passed between two attempts", async () => {
    const { svc, events } = observed([failure(503, {}, { "retry-after-ms": "5" })], { clock: heldClock() });
    const error = await rejectionOf(TimeoutError, send(svc, "safe", { deadlineMs: 15 }));
    expect(error).toMatchObject({ option: "deadlineMs", timeoutMs: 15 });
    expect(events.at(-1)).toMatchObject({ type: "result", error: "TimeoutError", status: undefined });
  });

  test("names the middleware if the deadline passed in it", async () => {
    const validateArguments = { check: () => [] };
    const { svc, events } = observed([silence], { validateArguments });
    const call = svc.tools.execute("A_TOOL", { version: "latest", arguments: {} }, { deadlineMs: 5 });
    expect(await rejectionOf(TimeoutError, call)).toMatchObject({ phase: "middleware", attempts: 0, timeoutMs: 5 });
    await settle();
    expect(events.some(({ type, operation }) => type === "attempt" && operation === "tools.execute")).toBe(false);
  });

  test("has an Error if a custom endpoint threw", async () => {
    const fault = new Error("mine");
    const data = () => {
      throw fault;
    };
    const repeated = { ...old, alreadyApplied: { statuses: [404], data } };
    const { svc, events } = observed([failure(503), failure(404)]);
    expect(await rejection(svc.call(repeated, { query: {} }))).toBe(fault);
    expect(events.at(-1)).toMatchObject({ type: "result", succeeded: false, error: "Error", status: undefined });
  });
});
