import type { Activity, ShownRun } from "../api.js";
import { Copy, Download } from "../parts/actions.jsx";
import { Badge, Detail, Facts } from "../parts/basics.jsx";
import { Block } from "../parts/message.jsx";
import { type TimelineLine, Waterfall } from "../parts/timeline.jsx";
import { linkTo } from "../router.js";
import { decisionOf, endOf, isOpen, ruleName } from "../run-state.js";
import { policyTestOf } from "../snippets.js";
import type { View } from "../store.js";
import { conversationOf, spansOf, type Turn, timeOfStep } from "../timeline.js";
import { Question } from "./question.jsx";

interface RunDetailProps {
  readonly call: ShownRun;
  readonly view: View;
  readonly turn: Turn | undefined;
  readonly now: number;
}

/** Everything known about a call. */
export function RunDetail({ call, view, turn, now }: RunDetailProps) {
  const { id, callId, name, tool, userId, accountId, result, isReplay, steps } = call;
  const conversation = conversationOf(call);
  const { rule, outcome } = decisionOf(call) ?? {};
  const approval = steps.findLast(({ type }) => type === "approval");
  const lines = linesOf(call, requestsOf(call, view), now);
  return (
    <Detail title={name} badge={<EndBadge call={call} now={now} />}>
      <Question call={call} now={now} />
      <div class="buttons">
        <Copy label="Copy link" text={() => new URL(linkTo("runs", id), location.href).href} />
        <Copy label="Copy as policy test" text={() => policyTestOf([call])} />
        <Download name={`run-${id}.json`} text={() => exportOf([call], view)} />
      </div>
      <Facts
        items={{
          Conversation: (
            <>
              {conversation}, turn {turn?.number ?? 1} ·{" "}
              <a href={linkTo("runs", id, { conversation })}>Only this conversation</a>
            </>
          ),
          Call: <code>{callId}</code>,
          Tool: tool ? [tool.kind, tool.toolkit, tool.version].filter(Boolean).join(" · ") : "no tool has this name",
          User: userId !== conversation && (userId ?? undefined),
          Account: accountId ?? undefined,
          Policy: outcome && [outcome, rule && ruleName(rule)].filter(Boolean).join(", "),
          Request: approval?.requestId && <code>{approval.requestId}</code>,
          Approval: approval && [approval.outcome, approval.approver].filter(Boolean).join(" by "),
          Result: isReplay && "recorded by an earlier run",
        }}
      />
      <section class="block" aria-label="Time">
        <h3>Time</h3>
        <Waterfall lines={lines} range={rangeOfLines(lines, call)} />
      </section>
      <Block title="Arguments" text={call.arguments} />
      {result !== "" && <Block title="Result, as the model reads it" text={result} />}
    </Detail>
  );
}

/** How a call ended. What a person can decide here is the loudest. */
export function EndBadge({ call, now }: { readonly call: ShownRun; readonly now: number }) {
  return <Badge value={endOf(call, now)} tone={isOpen(call, now) ? "loud" : undefined} />;
}

type RequestActivity = Extract<Activity, { type: "request" }>;

/** The requests of a call that the page still has. */
function requestsOf({ id }: ShownRun, { activities }: View): readonly RequestActivity[] {
  return activities.filter(
    (activity): activity is RequestActivity =>
      activity.type === "request" && activity.request.headers["x-emulator-call"] === id,
  );
}

/** The lines of a call: its steps, its requests, and the pauses before further attempts. */
function linesOf(call: ShownRun, requests: readonly RequestActivity[], now: number): readonly TimelineLine[] {
  const steps = call.steps.flatMap((step, index): TimelineLine[] => {
    if (step.type === "started") return [];
    const to = timeOfStep(step, call);
    const before = call.steps[index - 1];
    const from = before ? timeOfStep(before, call) : call.realTime;
    const kind = step.type === "finished" ? "run" : step.type === "approval" ? "wait" : "check";
    return [
      { key: `step ${index}`, from, to, kind, label: labelOf(step, call, before), note: step.error ?? step.reason },
    ];
  });
  const attempts = requests.flatMap((activity, index): TimelineLine[] => {
    const { id, request } = activity;
    const from = request.realTime;
    const before = requests[index - 1]?.request;
    const isRetry = before && request.attempt !== undefined && request.attempt > 1;
    const pause: TimelineLine[] = isRetry
      ? [{ key: `pause ${id}`, from: before.realTime + before.durationMs, to: from, kind: "wait", label: "Pause" }]
      : [];
    const label = (
      <>
        <a href={linkTo("log", String(id))}>{request.operation ?? request.path}</a>{" "}
        {isRetry && `attempt ${request.attempt} `}
        <Badge value={request.status} />
      </>
    );
    return [...pause, { key: `request ${id}`, from, to: from + request.durationMs, kind: "request", label }];
  });
  const last = spansOf(call, now).at(-1);
  const running: TimelineLine[] =
    call.status === "running" && last
      ? [{ key: "now", from: last.from, to: now, kind: last.kind, label: last.kind === "wait" ? "Waits" : "Runs" }]
      : [];
  return [...steps, ...attempts, ...running].sort((one, other) => one.from - other.from || one.to - other.to);
}

type Step = ShownRun["steps"][number];

function labelOf({ type, outcome, rule, approver, tool }: Step, call: ShownRun, before: Step | undefined) {
  const words = outcome?.replace("_", " ");
  switch (type) {
    case "decided":
      return (
        <>
          Policy: {words} {rule && <code>{ruleName(rule)}</code>}
          {/* Of a tool that runs several others, each one. */}
          {tool !== undefined && tool !== call.tool?.name && ` for ${tool}`}
        </>
      );
    case "approval":
      return `Approval: ${[words, approver].filter(Boolean).join(" by ")}`;
    case "finished":
      return `${before?.type === "started" ? "Run" : "End"}: ${words}`;
    default:
      return type.replace("_", " ");
  }
}

function rangeOfLines(lines: readonly TimelineLine[], { realTime }: ShownRun) {
  return { from: realTime, to: lines.reduce((latest, { to }) => Math.max(latest, to), realTime + 1) };
}

/** Calls with their requests, as JSON to keep or to share. Credentials are masked. */
export function exportOf(calls: readonly ShownRun[], view: View): string {
  const runs = calls.map((call) => ({ ...call, requests: requestsOf(call, view).map(({ request }) => request) }));
  return JSON.stringify({ runs }, null, 2);
}
