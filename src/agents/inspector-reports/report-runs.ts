// The room of reports to the inspector: what a toolset tells an emulator on this machine about its calls. It imports
// types of `src/contract`. Start here.

import type { RunBudget, RunReport, RunStep, RunTool } from "../../contract/run-schema.js";
import type { ClientNote } from "../../shared/client-owner.js";
import { REPORTED_CALL } from "../../shared/control-plane.js";
import { field, isString } from "../../shared/json.js";
import { tokensIn } from "../../shared/text-size.js";
import type { AgentTool, ToolCall } from "../agent-tool.js";
import type { AgentEvent, Observation, Observer } from "../events.js";
import type { ToolsetContext } from "../toolset-context.js";
import { outboxOf, runIdOf } from "./report-outbox.js";
import type { ReportTarget } from "./report-target.js";

/** Reports what a toolset does to an emulator on this machine. Neither delays a call nor fails one. */
export class RunReporter implements Observer {
  readonly #send: (reports: readonly RunReport[]) => unknown;
  readonly #scope: string;
  /** Facts of every call. */
  readonly #ofToolset: Pick<RunReport["facts"] & object, "conversationId" | "sessionId" | "userId" | "definitions">;
  /** When the turn of each running call started. */
  readonly #starts = new Map<string, number>();

  /** @param note - Writes to the log of the client, if it has one. */
  constructor(
    target: ReportTarget,
    note: ClientNote | undefined,
    context: Pick<ToolsetContext, "tools" | "scope" | "conversationId" | "sessionId" | "userId">,
  ) {
    const { tools, scope, conversationId = null, sessionId = null, userId = null } = context;
    const shown = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const definitions = { tools: tools.length, estimatedTokens: tokensIn(lengthOf(shown)) };
    this.#send = isString(target) ? outboxOf(target, note) : target;
    this.#scope = scope;
    this.#ofToolset = { conversationId, sessionId, userId, definitions };
  }

  headers(callId: string): Readonly<Record<string, string>> {
    return { [REPORTED_CALL]: runIdOf(this.#scope, callId) };
  }

  tell(observed: Observation): void {
    try {
      if (observed.type === "turn") this.#begin(observed.calls, observed.toolOf);
      else void this.#send(this.#reportsOf(observed));
    } catch {
      // The call is worth more.
    }
  }

  #begin(calls: readonly ToolCall[], toolOf: (name: string) => AgentTool | undefined): void {
    const turn = crypto.randomUUID();
    const realTime = Date.now();
    for (const { callId, name, arguments: given } of calls) {
      this.#starts.set(callId, performance.now());
      const tool = toolOf(name);
      const facts = { callId, name, tool: tool ? describeTool(tool) : null, ...this.#ofToolset, turn, realTime };
      // An object is read once, by the call.
      const written = isString(given) && { arguments: given };
      const report = { ...facts, ...written, status: "running", question: null } as const;
      void this.#send([{ id: runIdOf(this.#scope, callId), facts: report }]);
    }
  }

  #reportsOf(observed: Exclude<Observation, { type: "turn" }>): RunReport[] {
    switch (observed.type) {
      case "omitted":
        return [];
      case "arguments": {
        const { callId, accountId = null, arguments: args } = observed;
        return [{ id: runIdOf(this.#scope, callId), facts: { accountId, arguments: args } }];
      }
      case "counted":
        void this.#readBudgets(observed);
        return [];
      case "ended":
        return observed.ends.map((end, index) => {
          const { callId = "" } = observed.calls[index] ?? {};
          const id = runIdOf(this.#scope, callId);
          this.#starts.delete(callId);
          if (end.status === "rejected") return { id, facts: { status: "aborted", question: null } };
          return { id, facts: { result: end.value.text } };
        });
      default:
        return [this.#reportOf(observed)];
    }
  }

  async #readBudgets({ callId, readBudgets }: Extract<Observation, { type: "counted" }>): Promise<void> {
    // A store that fails now has failed the call too, or will.
    const read = await readBudgets().catch(() => []);
    const budgets: RunBudget[] = read.map((budget) => ({ ...budget, realTime: Date.now() }));
    if (budgets.length > 0) void this.#send([{ id: runIdOf(this.#scope, callId), facts: { budgets } }]);
  }

  #reportOf(event: Exclude<AgentEvent, { type: "omitted" }>): RunReport {
    const now = performance.now();
    const ms = Math.round((now - (this.#starts.get(event.callId) ?? now)) * 10) / 10;
    const report = { id: runIdOf(this.#scope, event.callId), step: stepOf(event, ms) };
    if (event.type !== "finished") return report;
    const { status, isReplay } = event;
    // A call that waits keeps its question, which says until when it could be decided.
    const facts = { status, isReplay, durationMs: ms, ...(status !== "pending" && { question: null }) };
    return { ...report, facts };
  }
}

/** A schema that is nested too deeply to be written isn't worth more than the toolset. */
function lengthOf(shown: readonly object[]): number {
  try {
    return JSON.stringify(shown).length;
  } catch {
    return 0;
  }
}

function describeTool({ name, kind, toolkit, version, tags }: AgentTool): RunTool {
  return { name, kind, toolkit: toolkit ?? null, version: version ?? null, tags };
}

function stepOf(event: Exclude<AgentEvent, { type: "omitted" }>, ms: number): RunStep {
  const { type, tool } = event;
  const error: unknown = field(event, "error");
  const facts = {
    type,
    ms,
    realTime: Date.now(),
    tool: tool?.name,
    error: error === undefined ? undefined : errorText(error),
  };
  switch (event.type) {
    case "decided":
      return { ...facts, outcome: event.outcome, rule: event.rule, reason: event.reason, labels: event.labels };
    case "approval":
      return { ...facts, outcome: event.status, approver: event.approver, requestId: event.requestId };
    case "started":
      return { ...facts, waitedMs: event.waitedMs };
    case "finished":
      return { ...facts, outcome: event.status };
    default:
      return facts;
  }
}

function errorText(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 1_000);
}
