import { type Attributes, trace } from "@opentelemetry/api";
import type { AgentEvent, DecidedEvent } from "../agents/events.js";

/**
 * Adds each decision about a model's call to the active span, as the event `svc.decision`: outcome, rule, tool and the
 * call's id, no arguments. It is the option `onEvent` of a toolset. Without an active span it does nothing.
 */
export function recordDecision(event: AgentEvent): void {
  if (event.type === "decided") trace.getActiveSpan()?.addEvent("svc.decision", factsOf(event));
}

/** A decision as attributes. */
export function factsOf({ callId, tool, outcome, rule }: DecidedEvent): Attributes {
  return {
    "svc.decision.outcome": outcome,
    ...(rule !== undefined && { "svc.decision.rule": rule }),
    ...(tool && { "gen_ai.tool.name": tool.name }),
    "gen_ai.tool.call.id": callId,
  };
}
