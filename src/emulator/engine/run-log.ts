import type { RunCall, RunDecision, RunReport, RunStep } from "../../contract/run-schema.js";
import { ConfigError } from "../../errors/local.js";
import { KEPT_CHARACTERS } from "../../shared/control-plane.js";
import { isString, mapMembers } from "../../shared/json.js";
import type { ActivityFeed } from "./activity.js";
import type { EmulatorClock } from "./clock.js";
import { maskBody, maskString } from "./masking.js";

/** How many of the latest calls are kept, and how many characters of their JSON. */
const KEPT = { calls: 10_000, characters: 32_000_000, steps: 100 };

/** The latest calls of toolsets. Not part of the state, like the requests. */
export class RunLog {
  readonly #calls = new Map<string, RunCall>();
  readonly #clock: EmulatorClock;
  readonly #feed: ActivityFeed;
  readonly #secrets: () => Iterable<string>;
  #characters = 0;

  /** @param secrets values to mask wherever they occur. */
  constructor(clock: EmulatorClock, feed: ActivityFeed, secrets: () => Iterable<string>) {
    this.#clock = clock;
    this.#feed = feed;
    this.#secrets = secrets;
  }

  /** Oldest first. */
  get items(): readonly RunCall[] {
    return [...this.#calls.values()];
  }

  /** Adds what toolsets report. */
  add(reports: readonly RunReport[]): void {
    for (const { id, facts = {}, step } of reports) {
      const before = this.#calls.get(id);
      const after = this.#masked({ ...(before ?? EMPTY), at: before?.at ?? this.#clock.iso(), id }, facts, step);
      // A call that runs later, because it was approved, stays in the turn in which the model made it.
      const call = before ? { ...after, turn: before.turn, realTime: before.realTime } : after;
      this.#calls.set(id, call);
      this.#characters += sizeOf(call) - (before ? sizeOf(before) : 0);
      this.#trim();
      this.#feed.publish({ type: "run", call, step: step ? (call.steps.at(-1) ?? null) : null });
    }
  }

  /** The id of a call's question, and the decision on it. */
  questionOf(id: string) {
    const { question, decision } = this.#calls.get(id) ?? EMPTY;
    return { question: question?.id ?? null, decision };
  }

  /**
   * Decides the question of a call, once. The program reads the decision.
   *
   * @throws {ConfigError} if the question isn't open.
   */
  decide(id: string, { question: asked, approved, reason }: RunDecision & { readonly question: string }): void {
    const call = this.#calls.get(id) ?? { ...EMPTY, id, at: "" };
    const { question, decision } = call;
    if (question?.id !== asked) throw new ConfigError("The program no longer asks this. Look at the call again.");
    if (decision) throw new ConfigError(`The call was ${decision.approved ? "approved" : "denied"} already.`);
    // The program waits in real time, whatever the emulator's clock says.
    if (!(Date.parse(question.expiresAt) > Date.now())) throw new ConfigError("The question has expired.");
    const decided = { ...call, decision: { approved, reason } };
    this.#calls.set(id, decided);
    this.#feed.publish({ type: "run", call: decided, step: null });
  }

  /** Forgets all calls. */
  clear(): void {
    this.#calls.clear();
    this.#characters = 0;
  }

  #masked(before: RunCall, facts: NonNullable<RunReport["facts"]>, step: RunStep | undefined): RunCall {
    const { arguments: args, result, question, ...others } = facts;
    const hidden = [...this.#secrets()];
    const mask = (value: unknown) => maskBody(typeof value === "string" ? value : JSON.stringify(value), "", hidden);
    const steps = step ? [...before.steps, maskedStrings(step, hidden)].slice(-KEPT.steps) : before.steps;
    return {
      ...before,
      ...others,
      steps,
      ...(args !== undefined && { arguments: mask(args).slice(0, KEPT_CHARACTERS) }),
      ...(question !== undefined && { question: question && maskedStrings(question, hidden), decision: null }),
      ...(result !== undefined && { result: mask(result).slice(0, KEPT_CHARACTERS) }),
    };
  }

  #trim(): void {
    for (const [id, call] of this.#calls) {
      if (this.#calls.size <= KEPT.calls && this.#characters <= KEPT.characters) return;
      this.#calls.delete(id);
      this.#characters -= sizeOf(call);
    }
  }
}

/** A reported value without secrets in its strings. In its JSON, a number could contain one too. */
function maskedStrings<Value>(value: Value, secrets: readonly string[]): Value {
  const masked = (part: unknown): unknown =>
    isString(part) ? maskString(part, secrets) : mapMembers(part, (member) => masked(member));
  // Only strings are replaced, with strings.
  return masked(value) as Value;
}

const EMPTY: Omit<RunCall, "id" | "at"> = {
  ...{ callId: "", name: "", tool: null, conversationId: null, sessionId: null, userId: null, turn: "", realTime: 0 },
  ...{ arguments: "", result: "", status: "running", accountId: null, isReplay: false, durationMs: 0, steps: [] },
  ...{ question: null, decision: null, budgets: [] },
  definitions: { tools: 0, estimatedTokens: 0 },
};

function sizeOf(call: RunCall): number {
  const { arguments: args, result, steps, question, budgets } = call;
  return args.length + result.length + 500 + (steps.length + budgets.length) * 200 + JSON.stringify(question).length;
}
