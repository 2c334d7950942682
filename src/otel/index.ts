// The room of spans for calls and toolsets. It imports OpenTelemetry's interface, and listens to events of `agents`
// and `client`. Start here.

import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
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
 * const svc = new Svc({ use: [traceCalls({ tracerProvider })] }); // By default, the global provider.
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
  const spans = new CallSpans(tracerProvider.getTracer("svc-sdk"));
  return (call, next) => {
    // The caller's, before another middleware waits or changes it.
    const parent = context.active();
    return observe((event) => spans.write(event, parent))(call, next);
  };
}

/** The spans of all calls in progress. */
class CallSpans {
  readonly #tracer: Tracer;
  readonly #open = new Map<number, OpenSpans>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** Writes an event of a call to its spans. */
  write(event: SvcEvent, parent: Context): void {
    if (event.type === "request") this.#open.set(event.callNumber, this.#begin(event, parent));
    const spans = this.#open.get(event.callNumber);
    if (!spans) return;
    if (event.type === "attempt") spans.attempt = this.#beginAttempt(event.attempt, spans);
    else writeToAttempt(event, spans.attempt);
    writeToCall(event, spans.call);
    if (event.type === "result") this.#open.delete(event.callNumber);
  }

  #begin({ method, origin, path, tool, operation }: RequestEvent, parent: Context): OpenSpans {
    const isExecution = operation === "tools.execute" && tool !== undefined;
    const attributes = {
      "svc.operation": operation,
      ...(tool !== undefined && { "gen_ai.tool.name": tool }),
      ...(isExecution && { "gen_ai.operation.name": "execute_tool" }),
    };
    const call = this.#tracer.startSpan(isExecution ? `execute_tool ${tool}` : operation, { attributes }, parent);
    const { hostname, port, protocol } = new URL(origin);
    return {
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
    };
  }

  #beginAttempt(attempt: number, { name, http, inCall }: OpenSpans): Span {
    const again = attempt > 1 && { "http.request.resend_count": attempt - 1 };
    return this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: { ...http, ...again } }, inCall);
  }
}

function writeToAttempt(event: SvcEvent, attempt: Span | undefined): void {
  if (event.type === "response") {
    attempt?.setAttribute("http.response.status_code", event.status);
    if (event.status >= 400 || event.status < 200) fail(attempt, String(event.status));
    attempt?.end();
  } else if (event.type === "failure") {
    fail(attempt, event.code ?? event.error);
    attempt?.end();
  }
}

function writeToCall(event: SvcEvent, call: Span): void {
  switch (event.type) {
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
      break;
  }
}

function fail(span: Span | undefined, type: string): void {
  span?.setAttribute("error.type", type);
  span?.setStatus({ code: SpanStatusCode.ERROR });
}
