import { type Attributes, type Span, SpanStatusCode, type TracerProvider, trace } from "@opentelemetry/api";
import type { AgentEvent, DecidedEvent, FinishedEvent } from "../agents/events.js";
import * as option from "../errors/option-rules.js";
import { isFailure } from "../shared/tools.js";

/** Options of `traceCalls`. */
export interface TraceOptions {
  /**
   * Where the spans go.
   * @default the provider that is registered globally
   */
  tracerProvider?: TracerProvider | undefined;
}

/** Options of {@link traceToolset}. */
export interface TraceToolsetOptions extends TraceOptions {
  /**
   * Whether spans contain the arguments of calls, as `gen_ai.tool.call.arguments`. The toolset needs
   * `eventArguments: true` and a policy, too.
   * @default false
   */
  readonly recordArguments?: boolean | undefined;
}

export const TRACER_PROVIDER = option.withMethods(["getTracer"], "a TracerProvider of OpenTelemetry, or ");

/** A call that the program gave up has no end. */
const MOST_OPEN = 1_000;

/** The kinds of tools, in the words of the conventions. */
const TYPES = { service: "extension", meta: "extension", local: "function" } as const;

const TRACE_TOOLSET_OPTIONS = {
  tracerProvider: TRACER_PROVIDER,
  recordArguments: { ...option.BOOLEAN, default: false },
} as const satisfies option.Rules<TraceToolsetOptions>;

/**
 * Writes an OpenTelemetry span per call of a tool that a model made: calls of local tools, denied calls and calls with
 * wrong arguments as well. It's the option `onEvent` of a toolset.
 *
 * ```ts
 * const tools = await toolset(new Svc(), {
 *   userId: "user-4711",
 *   tools: ["TEXTKIT_COUNT_WORDS"],
 *   onEvent: traceToolset({ tracerProvider }),
 * });
 * ```
 *
 * Names follow the semantic conventions for generative AI, version 1.38: `execute_tool GITHUB_CREATE_AN_ISSUE`, with
 * `gen_ai.tool.name`, `gen_ai.tool.type` and `gen_ai.tool.call.id`. `svc.status` says how the call ended, and
 * `svc.decision.outcome` and `svc.decision.rule` what the policy decided. A failed call has `error.type`. Results are
 * never recorded.
 *
 * @throws {ConfigError} for an unknown or invalid option.
 */
export function traceToolset(options: TraceToolsetOptions = {}): (event: AgentEvent) => void {
  const read = option.checkAll("traceToolset", options, TRACE_TOOLSET_OPTIONS);
  const { tracerProvider = trace.getTracerProvider(), recordArguments } = read;
  const tracer = tracerProvider.getTracer("svc-sdk");
  const open = new Map<string, { readonly span: Span; readonly name: string | undefined }>();

  const begin = (key: string, { callId, tool }: AgentEvent) => {
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.call.id": callId,
      ...(tool && { "gen_ai.tool.name": tool.name, "gen_ai.tool.type": TYPES[tool.kind] }),
    };
    const span = tracer.startSpan(tool ? `execute_tool ${tool.name}` : "execute_tool", { attributes });
    const call = { span, name: tool?.name };
    open.set(key, call);
    for (const [oldest, given] of open) if (open.size > MOST_OPEN && open.delete(oldest)) given.span.end();
    return call;
  };
  return (event) => {
    // The first belongs to no call. The second may follow the end of its call.
    if (event.type === "omitted" || event.type === "record_failed") return;
    // Models of two conversations may give different calls the same id.
    const key = JSON.stringify([event.userId, event.sessionId, event.conversationId, event.callId]);
    const { span, name } = open.get(key) ?? begin(key, event);
    if (event.type === "approval") span.setAttribute("svc.approval.status", event.status);
    if (event.type === "decided") {
      const facts = factsOf(event);
      const given = recordArguments && event.arguments;
      if (given) facts["gen_ai.tool.call.arguments"] = JSON.stringify(given);
      // A tool that runs others has a decision for each of them, too.
      if (event.tool?.name === name) span.setAttributes(facts);
      else span.addEvent("svc.decision", facts);
    }
    if (event.type !== "finished") return;
    end(span, event);
    open.delete(key);
  };
}

function end(span: Span, { status, error, isReplay }: FinishedEvent): void {
  span.setAttribute("svc.status", status);
  if (isReplay) span.setAttribute("svc.is_replay", true);
  if (isFailure(status)) {
    span.setAttribute("error.type", error instanceof Error ? error.name : status);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/**
 * Adds each decision about a model's call to the active span, as the event `svc.decision`: outcome, rule, tool and the
 * call's id, no arguments. It is the option `onEvent` of a toolset. Without an active span it does nothing.
 */
export function recordDecision(event: AgentEvent): void {
  if (event.type === "decided") trace.getActiveSpan()?.addEvent("svc.decision", factsOf(event));
}

function factsOf({ callId, tool, outcome, rule }: DecidedEvent): Attributes {
  return {
    "svc.decision.outcome": outcome,
    ...(rule !== undefined && { "svc.decision.rule": rule }),
    ...(tool && { "gen_ai.tool.name": tool.name }),
    "gen_ai.tool.call.id": callId,
  };
}
