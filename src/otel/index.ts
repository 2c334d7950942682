import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { RequestEvent, SvcEvent } from "../client/events.js";
import { observe } from "../client/middleware/observe.js";
import type { Middleware } from "../client/middleware.js";
import * as option from "../errors/option-rules.js";
import { TRACER_PROVIDER, type TraceOptions } from "./trace-toolset.js";

export { recordDecision, type TraceOptions, type TraceToolsetOptions, traceToolset } from "./trace-toolset.js";

/** The spans of a call in progress. */
interface OpenSpans {
  readonly call: Span;
  /** The parent context of attempts. */
  readonly inCall: Context;
  readonly http: Attributes;
  readonly name: string;
  attempt: Span | undefined;
}

/**
 * Writes OpenTelemetry spans: one per call, and below it one per request that was sent.
 *
 * ```ts
 * const svc = new Svc({ use: [traceCalls({ tracerProvider })] }); // Without: the one that is registered globally.
 * ```
 *
 * A call's span is named after its operation (`triggers.upsert`), an execution's as the conventions for tools say
 * (`execute_tool GITHUB_CREATE_AN_ISSUE`, `gen_ai.tool.name`). A request's span follows the conventions of HTTP
 * clients: method, `server.address`, `url.template` instead of `url.full` (which would contain ids), status,
 * `http.request.resend_count`, `error.type`. Waits, retries, drift and deprecations are events of the call's span. No
 * argument, header, key or body is ever recorded.
 *
 * It can serve several clients.
 *
 * @throws {ConfigError} for an unknown or invalid option.
 */
export function traceCalls(options: TraceOptions = {}): Middleware {
  const { tracerProvider = trace.getTracerProvider() } = option.checkAll("traceCalls", options, {
    tracerProvider: TRACER_PROVIDER,
  });
  const tracer = tracerProvider.getTracer("svc-sdk");
  const open = new Map<number, OpenSpans>();

  const begin = (event: RequestEvent, parent: Context): void => {
    const { method, origin, path, tool, operation } = event;
    const isExecution = operation === "tools.execute" && tool !== undefined;
    const attributes = {
      "svc.operation": operation,
      ...(tool !== undefined && { "gen_ai.tool.name": tool }),
      ...(isExecution && { "gen_ai.operation.name": "execute_tool" }),
    };
    const call = tracer.startSpan(isExecution ? `execute_tool ${tool}` : operation, { attributes }, parent);
    const { hostname, port, protocol } = new URL(origin);
    open.set(event.callId, {
      call,
      inCall: trace.setSpan(parent, call),
      http: {
        "http.request.method": method,
        "server.address": hostname,
        "server.port": Number(port || (protocol === "https:" ? 443 : 80)),
        ...(path && { "url.template": path }),
      },
      name: path ? `${method} ${path}` : method,
      attempt: undefined,
    });
  };

  const write = (event: SvcEvent, parent: Context): void => {
    if (event.type === "request") begin(event, parent);
    const spans = open.get(event.callId);
    if (!spans) return;
    const { call, attempt } = spans;
    switch (event.type) {
      case "attempt": {
        const again = event.attempt > 1 && { "http.request.resend_count": event.attempt - 1 };
        const options = { kind: SpanKind.CLIENT, attributes: { ...spans.http, ...again } };
        spans.attempt = tracer.startSpan(spans.name, options, spans.inCall);
        break;
      }
      case "response":
        attempt?.setAttribute("http.response.status_code", event.status);
        if (event.status >= 400 || event.status < 200) fail(attempt, String(event.status));
        attempt?.end();
        break;
      case "failure":
        fail(attempt, event.code ?? event.error);
        attempt?.end();
        break;
      case "wait":
        call.addEvent("svc.wait", event.expectedMs === undefined ? {} : { "svc.expected_ms": event.expectedMs });
        break;
      case "retry":
        call.addEvent("svc.retry", { "svc.delay_ms": event.delayMs, "error.type": event.error });
        break;
      case "drift":
        call.addEvent("svc.drift", { "svc.paths": event.mismatches.map(({ path }) => path) });
        break;
      case "deprecation":
        call.addEvent("svc.deprecation", { "svc.subject": event.subject });
        break;
      case "warning":
        call.addEvent("svc.warning", { "svc.message": event.message });
        break;
      case "result":
        call.setAttribute("svc.attempts", event.attempts);
        if (event.outcome) call.setAttribute("svc.outcome", event.outcome);
        if (event.error) fail(call, event.error);
        call.end();
        open.delete(event.callId);
        break;
    }
  };
  return (call, next) => {
    // The caller's, before another middleware waits or changes it.
    const parent = context.active();
    return observe((event) => write(event, parent))(call, next);
  };
}

function fail(span: Span | undefined, type: string): void {
  span?.setAttribute("error.type", type);
  span?.setStatus({ code: SpanStatusCode.ERROR });
}
