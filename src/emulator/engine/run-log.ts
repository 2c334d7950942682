import * as z from "zod/mini";
import { ConfigError } from "../../errors/local.js";
import { JsonObject, object, request } from "../../resources/schema-kit.js";
import type { RunCall, RunDecision, RunReport, RunStep } from "../../shared/run-report.js";
import type { ActivityFeed } from "./activity.js";
import type { EmulatorClock } from "./clock.js";
import { KEPT_CHARACTERS, maskBody } from "./recording.js";

/** How many of the latest calls are kept, and how many characters of their JSON. */
const KEPT = { calls: 10_000, characters: 32_000_000, steps: 100 };

const text = z.optional(z.string());
const id = z.nullable(z.string());

/** A pending approval, as far as the inspector shows it. */
const PendingShape = object({
  ...{ call: object({ name: z.string() }), arguments: JsonObject, description: z.string(), reason: z.string() },
  ...{ version: id, userId: id, accountId: id, sessionId: id, earlier: z.nullable(JsonObject) },
  files: z.array(
    object({
      ...{ source: z.string(), sha256: z.string(), filename: z.string(), mimetype: z.string() },
      bytes: z.number(),
    }),
  ),
});

/** A report of a toolset. */
const ReportShape = request({
  id: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  facts: z.optional(
    z.partial(
      request({
        ...{ callId: z.string(), name: z.string(), turn: z.string(), arguments: z.unknown(), result: z.string() },
        ...{ conversationId: id, sessionId: id, userId: id, accountId: id },
        ...{ isReplay: z.boolean(), durationMs: z.number() },
        status: z.enum(["running", "succeeded", "failed", "not_run", "unknown", "pending", "dry_run", "aborted"]),
        question: z.nullable(request({ id: z.string(), pending: PendingShape, expiresAt: z.string() })),
        definitions: request({ tools: z.number(), estimatedTokens: z.number() }),
        tool: z.nullable(
          request({ name: z.string(), kind: z.string(), toolkit: id, version: id, tags: z.array(z.string()) }),
        ),
      }),
    ),
  ),
  step: z.optional(
    request({
      type: z.enum(["decided", "approval", "started", "finished", "record_failed"]),
      ms: z.number(),
      ...{ tool: text, outcome: text, rule: text, reason: text, approver: text, error: text },
    }),
  ),
});

/** Body of `POST /runs`. */
export const ReportsBody = request({ reports: z.array(ReportShape) });

/** Body of `POST /runs/{id}/decision`. Names the question that the person saw. */
export const DecisionBody = request({
  question: z.string(),
  approved: z.boolean(),
  reason: z.optional(z.string().check(z.maxLength(1_000))),
});

/**
 * The latest calls of toolsets. Not part of the state, like the requests.
 *
 * @param secrets values to mask wherever they occur.
 */
export function runLog(clock: EmulatorClock, feed: ActivityFeed, secrets: () => Iterable<string>) {
  const calls = new Map<string, RunCall>();
  let characters = 0;

  const masked = (before: RunCall, facts: NonNullable<RunReport["facts"]>, step: RunStep | undefined): RunCall => {
    const { arguments: args, result, question, ...others } = facts;
    const hidden = [...secrets()];
    const mask = (value: unknown) => maskBody(typeof value === "string" ? value : JSON.stringify(value), "", hidden);
    const steps = step ? [...before.steps, JSON.parse(mask(step))].slice(-KEPT.steps) : before.steps;
    return {
      ...before,
      ...others,
      steps,
      ...(args !== undefined && { arguments: mask(args).slice(0, KEPT_CHARACTERS) }),
      ...(question !== undefined && { question: question && JSON.parse(mask(question)), decision: null }),
      ...(result !== undefined && { result: mask(result).slice(0, KEPT_CHARACTERS) }),
    };
  };

  const trim = () => {
    for (const [id, call] of calls) {
      if (calls.size <= KEPT.calls && characters <= KEPT.characters) return;
      calls.delete(id);
      characters -= sizeOf(call);
    }
  };

  return {
    /** Oldest first. */
    items: (): readonly RunCall[] => [...calls.values()],

    /** Adds what toolsets report. */
    add: (reports: readonly RunReport[]) => {
      for (const { id, facts = {}, step } of reports) {
        const before = calls.get(id);
        const after = masked({ ...(before ?? EMPTY), at: before?.at ?? clock.iso(), id }, facts, step);
        // A call that runs later, because it was approved, stays in the turn in which the model made it.
        const call = before ? { ...after, turn: before.turn } : after;
        calls.set(id, call);
        characters += sizeOf(call) - (before ? sizeOf(before) : 0);
        trim();
        feed.publish({ type: "run", call, step: step ? (call.steps.at(-1) ?? null) : null });
      }
    },

    /** The id of a call's question, and the decision on it. */
    questionOf: (id: string) => {
      const { question, decision } = calls.get(id) ?? EMPTY;
      return { question: question?.id ?? null, decision };
    },

    /**
     * Decides the question of a call, once. The program reads the decision.
     *
     * @throws {ConfigError} if the question isn't open.
     */
    decide: (id: string, { question: asked, approved, reason }: RunDecision & { readonly question: string }) => {
      const call = calls.get(id) ?? { ...EMPTY, id, at: "" };
      const { question, decision } = call;
      if (question?.id !== asked) throw new ConfigError("The program no longer asks this. Look at the call again.");
      if (decision) throw new ConfigError(`The call was ${decision.approved ? "approved" : "denied"} already.`);
      // The program waits in real time, whatever the emulator's clock says.
      if (!(Date.parse(question.expiresAt) > Date.now())) throw new ConfigError("The question has expired.");
      const decided = { ...call, decision: { approved, reason } };
      calls.set(id, decided);
      feed.publish({ type: "run", call: decided, step: null });
    },

    /** Forgets all calls. */
    clear: () => {
      calls.clear();
      characters = 0;
    },
  };
}

export type RunLog = ReturnType<typeof runLog>;

const EMPTY: Omit<RunCall, "id" | "at"> = {
  ...{ callId: "", name: "", tool: null, conversationId: null, sessionId: null, userId: null, turn: "" },
  ...{ arguments: "", result: "", status: "running", accountId: null, isReplay: false, durationMs: 0, steps: [] },
  ...{ question: null, decision: null },
  definitions: { tools: 0, estimatedTokens: 0 },
};

function sizeOf(call: RunCall): number {
  const { arguments: args, result, steps, question } = call;
  return args.length + result.length + 500 + steps.length * 200 + JSON.stringify(question).length;
}
