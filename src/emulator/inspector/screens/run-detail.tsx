import type { ShownBudget, ShownRun, ShownStep } from "../api.js";
import { count, duration } from "../format.js";
import { linesOf, type RequestActivity, requestsByCall, type WaterfallLine } from "../lines.js";
import { Copy, Download } from "../parts/actions.jsx";
import { Badge, Detail, Facts } from "../parts/basics.jsx";
import { Block } from "../parts/message.jsx";
import { Waterfall } from "../parts/timeline.jsx";
import { linkTo } from "../router.js";
import { budgetsOf, decisionOf, endOf, isOpen, labelsOf, ruleName } from "../run-state.js";
import { policyTestOf } from "../snippets.js";
import type { View } from "../store.js";
import { conversationOf, type Turn, turnItem } from "../timeline.js";
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
  const budgets = budgetsOf([call]);
  const { rule, outcome } = decisionOf(call) ?? {};
  const approval = steps.findLast(({ type }) => type === "approval");
  const lines = linesOf(call, requestsByCall(view.activities).get(id) ?? [], now);
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
              {conversation}, {turn ? <a href={linkTo("runs", turnItem(turn))}>turn {turn.number}</a> : "turn 1"} ·{" "}
              <a href={linkTo("runs", id, { conversation })}>Only this conversation</a>
            </>
          ),
          Call: <code>{callId}</code>,
          Tool: tool ? [tool.kind, tool.toolkit, tool.version].filter(Boolean).join(" · ") : "no tool has this name",
          User: userId !== conversation && (userId ?? undefined),
          Account: accountId ?? undefined,
          Policy: outcome && [outcome, rule && ruleName(rule)].filter(Boolean).join(", "),
          Labels: labelsOf([call]),
          Budgets: budgets.length > 0 && <Budgets items={budgets} />,
          Request: approval?.requestId && <code>{approval.requestId}</code>,
          Approval: approval && [approval.outcome, approval.approver].filter(Boolean).join(" by "),
          Result: isReplay && "recorded by an earlier run",
        }}
      />
      <section class="block" aria-label="Time">
        <h3>Time</h3>
        <Waterfall lines={lines} labelOf={labelOf} />
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

/** How much of each budget is used, and how much is left. */
export function Budgets({ items }: { readonly items: readonly ShownBudget[] }) {
  return (
    <ul>
      {items.map(({ budget, unit, limit, used, left, windowMs, per }) => (
        <li key={`${budget} ${unit}`}>
          <code>{ruleName(budget)}</code> {count(used)} of {count(limit)} {unit} used, {count(left)} left
          {windowMs !== null && ` within ${duration(windowMs)}`} <span class="muted">{SHARERS[per]}</span>
        </li>
      ))}
    </ul>
  );
}

/** Which calls share a budget. */
const SHARERS: Readonly<Record<ShownBudget["per"], string>> = {
  user: "for this user",
  conversation: "for this conversation",
  all: "for all users",
};

/** A line of a call's time in words. */
export function labelOf({ activity, step, wait, kind, call }: WaterfallLine) {
  if (activity) return <RequestLabel activity={activity} />;
  if (wait) return wait;
  if (!step) return kind === "wait" ? "Waits" : "Runs";
  const note = step.error ?? step.reason;
  return (
    <>
      {wordsOf(step, kind, call)}
      {note && <span class="help">{note}</span>}
    </>
  );
}

function RequestLabel({ activity: { id, request } }: { readonly activity: RequestActivity }) {
  const { attempt = 1 } = request;
  return (
    <>
      <a href={linkTo("log", String(id))}>{request.operation ?? request.path}</a> {attempt > 1 && `attempt ${attempt} `}
      <Badge value={request.status} />
    </>
  );
}

function wordsOf({ type, outcome, rule, approver, tool }: ShownStep, kind: WaterfallLine["kind"], call: ShownRun) {
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
      return `${kind === "run" ? "Run" : "End"}: ${words}`;
    default:
      return type.replace("_", " ");
  }
}

/** Calls with their requests, as JSON to keep or to share. Credentials are masked. */
export function exportOf(calls: readonly ShownRun[], { activities }: View): string {
  const requests = requestsByCall(activities);
  const runs = calls.map((call) => ({
    ...call,
    requests: (requests.get(call.id) ?? []).map(({ request }) => request),
  }));
  return JSON.stringify({ runs }, null, 2);
}
