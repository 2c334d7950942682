import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkContract } from "../../src/contract/index.js";
import type { Middleware, SvcOptions } from "../../src/index.js";
import { traceCalls } from "../../src/otel/index.js";
import { clientOf, rejection, send } from "../support/client.js";
import { settle } from "../support/clock.js";
import { failure, scriptedFetch, silence } from "../support/scripted-fetch.js";

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
});
afterAll(() => {
  context.disable();
});

function traced(fetch: (request: Request) => Promise<Response>, options: SvcOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const svc = clientOf(fetch, { ...options, use: [traceCalls({ tracerProvider }), ...(options.use ?? [])] });
  return { svc, tracerProvider, spans: () => exporter.getFinishedSpans() };
}

describe("traceCalls", () => {
  test("writes a span per call and below it one per request, in the caller's own trace", async () => {
    const { svc, spans, tracerProvider } = traced(scriptedFetch(failure(503), Response.json({ ok: true })));
    const parent = tracerProvider.getTracer("app").startSpan("handler");
    await context.with(trace.setSpan(context.active(), parent), () => send(svc));
    const [first, second, call] = spans();
    expect(call).toMatchObject({
      name: "probe.safe",
      kind: SpanKind.INTERNAL,
      attributes: { "svc.operation": "probe.safe", "svc.attempts": 2 },
      status: { code: SpanStatusCode.UNSET },
    });
    expect(call?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
    expect(call?.events).toMatchObject([
      { name: "svc.retry", attributes: { "svc.delay_ms": 250, "error.type": "ServerError" } },
    ]);
    const http = {
      "http.request.method": "POST",
      "url.template": "/api/v3.1/probe",
      "server.address": "api.example.com",
      "server.port": 443,
    };
    expect(first).toMatchObject({
      name: "POST /api/v3.1/probe",
      kind: SpanKind.CLIENT,
      attributes: { ...http, "http.response.status_code": 503, "error.type": "503" },
      status: { code: SpanStatusCode.ERROR },
    });
    expect(second).toMatchObject({
      attributes: { ...http, "http.response.status_code": 200, "http.request.resend_count": 1 },
    });
    expect(second?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
  });

  test("names executions as the conventions for tools do", async () => {
    const answer = { data: {}, successful: true, error: null, log_id: "log_1", session_info: null };
    const { svc, spans } = traced(scriptedFetch(Response.json(answer)));
    await svc.tools.execute("GITHUB_STAR", { user_id: "ada", version: "latest", arguments: { secret: "CANARY" } });
    expect(spans().at(-1)).toMatchObject({
      name: "execute_tool GITHUB_STAR",
      attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "GITHUB_STAR" },
    });
    expect(JSON.stringify(spans().map(({ name, attributes, events }) => [name, attributes, events]))).not.toMatch(
      /CANARY|ak_test/,
    );
  });

  test("records what a failed call may have done", async () => {
    const { svc, spans } = traced(scriptedFetch(failure(500)));
    await rejection(send(svc, "effect"));
    expect(spans().at(-1)).toMatchObject({
      attributes: { "error.type": "ServerError", "svc.outcome": "unknown" },
      status: { code: SpanStatusCode.ERROR },
    });
  });

  test("ends every span of an aborted call", async () => {
    const { svc, spans } = traced(silence);
    const controller = new AbortController();
    const call = rejection(send(svc, "safe", { signal: controller.signal }));
    await settle();
    controller.abort();
    await call;
    expect(spans().map(({ attributes }) => attributes["error.type"])).toEqual(["Aborted", "Aborted"]);
  });

  test("records that an execution aborted in flight may have run", async () => {
    const { svc, spans } = traced(silence);
    const controller = new AbortController();
    const call = rejection(send(svc, "effect", { signal: controller.signal }));
    await settle();
    controller.abort();
    await call;
    expect(spans().at(-1)?.attributes["svc.outcome"]).toBe("unknown");
  });

  test("adds waits, drift and deprecations to the call's span", async () => {
    const headers = { deprecation: "@1767225600" };
    const { svc, spans } = traced(scriptedFetch(Response.json({ items: null }, { headers })), {
      use: [checkContract()],
    });
    await svc.tools.list();
    expect(spans().at(-1)?.events).toMatchObject([
      { name: "svc.deprecation", attributes: { "svc.subject": "operation" } },
      { name: "svc.drift", attributes: { "svc.paths": ["items", "total_pages", "current_page", "total_items"] } },
    ]);
  });

  test("is in the caller's trace, whatever later middleware does to the context", async () => {
    const leaving: Middleware = async (_call, next) => {
      await Promise.resolve();
      return context.with(ROOT_CONTEXT, next);
    };
    const { svc, spans, tracerProvider } = traced(scriptedFetch(Response.json({ ok: true })), { use: [leaving] });
    const parent = tracerProvider.getTracer("app").startSpan("handler");
    await context.with(trace.setSpan(context.active(), parent), () => send(svc));
    expect(spans().at(-1)?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
  });

  test("serves several clients simultaneously without mixing their calls", async () => {
    const exporter = new InMemorySpanExporter();
    const traces = traceCalls({
      tracerProvider: new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    });
    const clients = [1, 2, 3].map(() => clientOf(scriptedFetch(Response.json({ ok: true })), { use: [traces] }));
    await Promise.all(clients.map((svc) => send(svc)));
    const calls = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.INTERNAL);
    const requests = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.CLIENT);
    expect(calls).toHaveLength(3);
    expect(requests.map(({ parentSpanContext }) => parentSpanContext?.spanId).toSorted()).toEqual(
      calls.map((span) => span.spanContext().spanId).toSorted(),
    );
  });
});
