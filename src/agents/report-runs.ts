import { field, isString } from "../shared/json.js";
import { type ReportTarget, RUN_HEADER, type RunReport, type RunStep, type RunTool } from "../shared/run-report.js";
import type { AgentEvent, Observation, Observer } from "./events.js";
import { type Note, outboxOf, runIdOf } from "./outbox.js";
import type { AgentTool, ToolCall } from "./tool.js";
import type { ToolsetContext } from "./toolset-options.js";

/**
 * Reports what a toolset does to an emulator on this machine. Neither delays a call nor fails one.
 *
 * @param note writes to the log of the client, if it has one.
 */
export function reporter(
  target: ReportTarget,
  note: Note | undefined,
  {
    tools,
    scope,
    conversationId,
    sessionId,
    userId,
  }: Pick<ToolsetContext, "tools" | "scope" | "conversationId" | "sessionId" | "userId">,
): Observer {
  const send = isString(target) ? outboxOf(target, note) : target;
  const idOf = (callId: string) => runIdOf(scope, callId);
  const bytes = JSON.stringify(
    tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
  ).length;
  const definitions = { tools: tools.length, estimatedTokens: Math.ceil(bytes / 4) };
  const ids = { conversationId: conversationId ?? null, sessionId: sessionId ?? null, userId: userId ?? null };
  /** When the turn of each running call started. */
  const starts = new Map<string, number>();
  const since = (callId: string) =>
    Math.round((performance.now() - (starts.get(callId) ?? performance.now())) * 10) / 10;

  const begin = (calls: readonly ToolCall[], toolOf: (name: string) => AgentTool | undefined) => {
    const turn = crypto.randomUUID();
    for (const { callId, name, arguments: given } of calls) {
      starts.set(callId, performance.now());
      const tool = toolOf(name);
      const facts = { callId, name, tool: tool ? describe(tool) : null, ...ids, turn, definitions };
      // An object is read once, by the call.
      const written = isString(given) && { arguments: given };
      void send([{ id: idOf(callId), facts: { ...facts, ...written, status: "running" } }]);
    }
  };
  const reportsOf = (observed: Exclude<Observation, { type: "turn" }>): RunReport[] => {
    switch (observed.type) {
      case "omitted":
        return [];
      case "arguments": {
        const { callId, accountId = null, arguments: args } = observed;
        return [{ id: idOf(callId), facts: { accountId, arguments: args } }];
      }
      case "ended":
        return observed.ends.map((end, index) => {
          const { callId = "" } = observed.calls[index] ?? {};
          starts.delete(callId);
          if (end.status === "rejected") return { id: idOf(callId), facts: { status: "aborted", question: null } };
          return { id: idOf(callId), facts: { result: end.value.text } };
        });
      default: {
        const { callId } = observed;
        const ms = since(callId);
        const ended = observed.type === "finished" && {
          facts: { status: observed.status, isReplay: observed.isReplay, durationMs: ms, question: null },
        };
        return [{ id: idOf(callId), step: stepOf(observed, ms), ...ended }];
      }
    }
  };
  return {
    headers: (callId) => ({ [RUN_HEADER]: idOf(callId) }),
    tell: (observed) => {
      try {
        if (observed.type === "turn") begin(observed.calls, observed.toolOf);
        else void send(reportsOf(observed));
      } catch {
        // The call is worth more.
      }
    },
  };
}

function describe({ name, kind, toolkit, version, tags }: AgentTool): RunTool {
  return { name, kind, toolkit: toolkit ?? null, version: version ?? null, tags };
}

function stepOf(event: Exclude<AgentEvent, { type: "omitted" }>, ms: number): RunStep {
  const { type, tool } = event;
  const error: unknown = field(event, "error");
  const facts = { type, ms, tool: tool?.name, error: error === undefined ? undefined : messageOf(error) };
  switch (event.type) {
    case "decided":
      return { ...facts, outcome: event.outcome, rule: event.rule, reason: event.reason };
    case "approval":
      return { ...facts, outcome: event.status, approver: event.approver };
    case "finished":
      return { ...facts, outcome: event.status };
    default:
      return facts;
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 1_000);
}
