import { REPORTED_CALL } from "../../shared/control-plane.js";
import type { Activity, ShownRun, ShownStep } from "./api.js";
import { kindAfter, type Span, type SpanKind, spansOf, timeOfStep } from "./timeline.js";

/** A request in the log. */
export type RequestActivity = Extract<Activity, { type: "request" }>;

/** A line of a waterfall: something that took time, or happened at one. */
export interface WaterfallLine {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly kind: SpanKind | "request";
  /** The call whose parts the line shows. */
  readonly call: ShownRun;
  /** Parts of its time, if it has several kinds. */
  readonly spans?: readonly Span[];
  /** The step at its end. */
  readonly step?: ShownStep;
  /** The request that it shows. */
  readonly activity?: RequestActivity;
  /** Why the client waits. */
  readonly wait?: "Waits to retry" | "Waits for the rate limit";
}

/** The requests that the page still has, by the id of their call. */
export function requestsByCall(activities: readonly Activity[]): ReadonlyMap<string, readonly RequestActivity[]> {
  const found = new Map<string, RequestActivity[]>();
  for (const activity of activities) {
    const call = activity.type === "request" && activity.request.headers[REPORTED_CALL];
    if (!call) continue;
    const requests = found.get(call);
    if (requests) requests.push(activity);
    else found.set(call, [activity]);
  }
  return found;
}

/** The lines of a call: its steps, its requests, and the pauses before further attempts. */
export function linesOf(call: ShownRun, requests: readonly RequestActivity[], now: number): readonly WaterfallLine[] {
  const last = spansOf(call, now).at(-1);
  const running: readonly WaterfallLine[] =
    call.status === "running" && last ? [{ ...last, key: "now", call, to: now }] : [];
  return [...stepLines(call), ...requestLines(call, requests), ...running].sort(
    (left, right) => left.from - right.from || left.to - right.to,
  );
}

function stepLines(call: ShownRun): readonly WaterfallLine[] {
  return call.steps.flatMap((step, index): WaterfallLine[] => {
    if (step.type === "started") return waitLine(step, index, call);
    const before = call.steps[index - 1];
    const from = before ? timeOfStep(before, call) : call.realTime;
    const to = timeOfStep(step, call);
    const kind = (before && kindAfter(before)) ?? "check";
    const line = { key: `step ${index}`, from, to, kind, call, step };
    // The call waited for its program. The decision itself took no time that is known.
    if (step.type === "decided" && kind === "wait") {
      return [
        { key: `wait ${index}`, from, to, kind, call },
        { ...line, from: to, kind: "check" },
      ];
    }
    return [line];
  });
}

/** The wait for the rate limit before a call starts. */
function waitLine(step: ShownStep, index: number, call: ShownRun): WaterfallLine[] {
  if (!step.waitedMs) return [];
  const to = timeOfStep(step, call);
  const from = to - step.waitedMs;
  return [{ key: `queue ${index}`, from, to, kind: "wait", call, wait: "Waits for the rate limit" }];
}

function requestLines(call: ShownRun, requests: readonly RequestActivity[]): readonly WaterfallLine[] {
  return requests.flatMap((activity, index): WaterfallLine[] => {
    const { id, request } = activity;
    const from = request.realTime;
    const line: WaterfallLine = {
      key: `request ${id}`,
      from,
      to: from + request.durationMs,
      kind: "request",
      call,
      activity,
    };
    const before = requests[index - 1]?.request;
    if (!before || !(request.attempt !== undefined && request.attempt > 1)) return [line];
    const failedAt = before.realTime + before.durationMs;
    return [{ key: `pause ${id}`, from: failedAt, to: from, kind: "wait", call, wait: "Waits to retry" }, line];
  });
}

/** The lines of a turn: each call, and below it only what took its time. The details of a call have its decisions. */
export function linesOfTurn(
  calls: readonly ShownRun[],
  requests: ReadonlyMap<string, readonly RequestActivity[]>,
  now: number,
): readonly WaterfallLine[] {
  return calls.flatMap((call): WaterfallLine[] => {
    const spans = spansOf(call, now);
    const from = spans[0]?.from ?? call.realTime;
    const whole: WaterfallLine = { key: "", from, to: spans.at(-1)?.to ?? from, kind: "run", call, spans };
    const parts = linesOf(call, requests.get(call.id) ?? [], now).filter(
      ({ kind, from: start, to, activity }) => activity !== undefined || (kind === "wait" && to - start >= 1),
    );
    return [whole, ...parts].map((line) => ({ ...line, key: `${call.id} ${line.key}` }));
  });
}
