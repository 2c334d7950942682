import type { ShownRun, ShownStep } from "./api.js";

/** A kind of activity of a call: checks in the program, a wait for a person or the rate limit, or the run itself. */
export type SpanKind = "check" | "wait" | "run";

/** A part of a call's time, in milliseconds since 1970, in real time. */
export interface Span {
  readonly kind: SpanKind;
  readonly from: number;
  readonly to: number;
}

/** When a step happened. */
export function timeOfStep({ realTime, ms }: ShownStep, call: ShownRun): number {
  return realTime ?? call.realTime + ms;
}

/** The kind of activity after a step; `undefined` after the end. */
export function kindAfter({ type, outcome }: ShownStep): SpanKind | undefined {
  switch (type) {
    case "decided":
      return outcome === "ask" ? "wait" : "check";
    case "approval":
      return outcome === "pending" ? "wait" : "check";
    case "started":
      return "run";
    default:
      // A call that waits for its program goes on when it's approved.
      return outcome === "pending" ? "wait" : undefined;
  }
}

/** The parts of a call's time, in order. One that is running lasts until now. */
export function spansOf(call: ShownRun, now: number): readonly Span[] {
  const spans: Span[] = [];
  let from = call.realTime;
  let kind: SpanKind | undefined = "check";
  const add = (to: number) => {
    if (to <= from) return;
    const last = spans.at(-1);
    if (kind !== undefined && last?.kind === kind && last.to === from) spans[spans.length - 1] = { ...last, to };
    else if (kind !== undefined) spans.push({ kind, from, to });
    from = to;
  };
  for (const step of call.steps) {
    if (step.waitedMs) {
      add(timeOfStep(step, call) - step.waitedMs);
      kind = "wait";
    }
    add(timeOfStep(step, call));
    kind = kindAfter(step);
  }
  if (call.status === "running") add(now);
  return spans;
}

/** From when to when calls took time. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The time of several calls together. */
export function rangeOf(calls: readonly ShownRun[], now: number): Range {
  const from = calls.reduce((first, { realTime }) => Math.min(first, realTime), Number.POSITIVE_INFINITY);
  const ends = calls.flatMap((call) => spansOf(call, now).map(({ to }) => to));
  return { from, to: ends.reduce((latest, end) => Math.max(latest, end), from + 1) };
}

/** The conversation that a call belongs to: without an id, all of its session or user. */
export function conversationOf({ conversationId, sessionId, userId }: ShownRun): string {
  return conversationId ?? sessionId ?? userId ?? "no user";
}

/** A turn of a model: its calls in their order. */
export interface Turn {
  readonly id: string;
  readonly conversation: string;
  /** From 1, in its conversation. */
  readonly number: number;
  readonly calls: readonly ShownRun[];
}

/** The name of a turn in the place of the page. Ids of calls are hexadecimal. */
export const turnItem = ({ id }: Pick<Turn, "id">) => `turn:${id}`;

/** All turns, by id: those of the conversation with the latest turn first, the newest turn of each first. */
export function turnsOf(runs: Iterable<ShownRun>): ReadonlyMap<string, Turn> {
  const turns = new Map<string, ShownRun[]>();
  for (const call of runs) {
    const calls = turns.get(call.turn);
    if (calls) calls.push(call);
    else turns.set(call.turn, [call]);
  }
  const conversations = new Map<string, Turn[]>();
  for (const [id, calls] of turns) {
    const conversation = conversationOf(calls[0] as ShownRun); // A turn has at least one.
    const known = conversations.get(conversation) ?? [];
    known.unshift({ id, conversation, number: known.length + 1, calls });
    // The latest conversation is the last in the map.
    conversations.delete(conversation);
    conversations.set(conversation, known);
  }
  return new Map([...conversations.values()].reverse().flatMap((list) => list.map((turn) => [turn.id, turn] as const)));
}
