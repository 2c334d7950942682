import { canonicalJson, isInterchangeable } from "../../shared/canonical-json.js";
import type { Json } from "../../shared/json.js";
import { redacted } from "../../shared/secret-names.js";
import { untilAborted } from "../../shared/timers.js";
import type { AgentTool, Execution } from "../agent-tool.js";
import type { AuditTrail, EmitEvent } from "../audit-trail.js";
import * as messages from "../call/messages.js";
import type { CallResult, Ending } from "../call-result.js";
import type { CallEvent, Observation } from "../events.js";
import type { PreparedKey } from "../hmac-key.js";
import type { RunOptions } from "../run-options.js";
import type { Subject } from "../subject.js";
import { type AuditEntry, type AuditedDecision, argumentsDigest } from "./audit-line.js";
import type { AuditWriter } from "./audit-writer.js";

/** The settings of all trails of an audit. */
export interface TrailSettings {
  readonly writer: AuditWriter;
  readonly signer: PreparedKey;
  readonly program?: string | undefined;
  readonly onFailure: "stop" | "continue";
  readonly withArguments: boolean;
  now(): number;
}

/** The facts about a call that its events tell. */
interface CallFacts {
  arguments?: Json;
  accountId?: string | undefined;
  readonly decisions: AuditedDecision[];
  approver?: string | undefined;
  labels?: readonly string[] | undefined;
}

/** Collects what happens to the calls of a toolset, and writes it down. */
export class CallTrail implements AuditTrail {
  readonly #subject: Subject;
  readonly #settings: TrailSettings;
  /** By run, which its options identify, and by call id: a call may run twice at the same time. */
  readonly #runs = new WeakMap<RunOptions, Map<string, CallFacts>>();

  constructor(subject: Subject, settings: TrailSettings) {
    this.#subject = subject;
    this.#settings = settings;
  }

  tell(observed: Observation, run?: RunOptions): void {
    if (!run) return;
    if (observed.type === "arguments") {
      Object.assign(this.#factsOf(observed.callId, run), {
        arguments: observed.arguments,
        accountId: observed.accountId,
      });
    } else if (observed.type === "decided") {
      const { callId, tool, outcome, rule, labels } = observed;
      const facts = this.#factsOf(callId, run);
      facts.decisions.push({ tool: tool?.name ?? "", outcome, rule });
      facts.labels = labels ?? facts.labels;
    } else if (observed.type === "approval") {
      this.#factsOf(observed.callId, run).approver = observed.approver;
    }
  }

  async starting(execution: Execution, options: RunOptions, emit: EmitEvent): Promise<Ending | undefined> {
    const { callId, tool, arguments: args, accountId } = execution;
    const { signal } = options;
    Object.assign(this.#factsOf(callId, options), { arguments: args, accountId });
    try {
      await untilAborted(signal, this.#write("started", callId, tool, options));
    } catch (error) {
      signal?.throwIfAborted();
      if (this.#settings.onFailure === "stop") {
        return { status: "not_run", text: messages.programFailed(tool.name), error };
      }
      emit(this.#failed(callId, tool, error));
    }
    return undefined;
  }

  async ended({ callId, tool, status, isReplay }: CallResult, options: RunOptions, emit: EmitEvent): Promise<void> {
    const { signal, dryRun } = options;
    const writing = dryRun ? undefined : this.#write("ended", callId, tool, options, { status, isReplay });
    this.#runs.get(options)?.delete(callId);
    // The call has ended as it did.
    const written = writing?.catch((error: unknown) => emit(this.#failed(callId, tool, error)));
    await untilAborted(signal, Promise.resolve(written)).catch(() => undefined);
  }

  #failed(callId: string, tool: AgentTool | undefined, error: unknown): CallEvent {
    return { type: "record_failed", callId, tool, userId: this.#subject.userId, error };
  }

  #factsOf(callId: string, run: RunOptions): CallFacts {
    const calls = this.#runs.get(run) ?? new Map<string, CallFacts>();
    this.#runs.set(run, calls);
    const facts = calls.get(callId) ?? { decisions: [] };
    calls.set(callId, facts);
    return facts;
  }

  async #write(
    type: AuditEntry["type"],
    callId: string,
    tool: AgentTool | undefined,
    run: RunOptions,
    end: Pick<AuditEntry, "status" | "isReplay"> = {},
  ): Promise<void> {
    const { writer, program, now } = this.#settings;
    const { decisions, accountId, approver, labels, arguments: args } = this.#factsOf(callId, run);
    await writer.write({
      type,
      at: new Date(now()).toISOString(),
      program,
      ...this.#subject,
      callId,
      tool: tool?.name,
      version: tool?.version,
      accountId,
      ...(await this.#shown(args)),
      decisions: [...decisions],
      approver,
      labels,
      ...end,
    });
  }

  async #shown(args: Json | undefined): Promise<Pick<AuditEntry, "argumentsDigest" | "arguments">> {
    const { signer, withArguments } = this.#settings;
    // Other values have no canonical form, and no call with them runs.
    if (!args || !isInterchangeable(args)) return {};
    const digest = { argumentsDigest: await argumentsDigest(canonicalJson(args), signer) };
    return withArguments ? { ...digest, arguments: redacted(args) as Json } : digest;
  }
}
