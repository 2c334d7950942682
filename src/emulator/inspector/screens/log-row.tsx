import { duration, timeOf, toolFailureIn } from "../format.js";
import { Badge, toneOf } from "../parts/basics.jsx";
import type { LogRow } from "../store.js";

/** A line of the log: a request, or another activity. */
export function Row({
  row: { activity },
  isSelected,
  link,
}: {
  readonly row: LogRow;
  readonly isSelected: boolean;
  readonly link: string;
}) {
  const current = isSelected ? "true" : undefined;
  if (activity.type !== "request") {
    return (
      <a class="row other" href={link} aria-current={current} tabIndex={-1}>
        <time>{timeOf(activity.at)}</time>
        <span class="method">{activity.type}</span>
        <span class="what">{summaryOf(activity)}</span>
      </a>
    );
  }
  const { method, path, operation, status, durationMs, fault, attempt, response } = activity.request;
  const failure = toolFailureIn(response?.body);
  return (
    <a class="row" href={link} aria-current={current} tabIndex={-1}>
      <time>{timeOf(activity.at)}</time>
      <span class="method">{method}</span>
      <span class="what">
        {operation && <b>{operation} </b>}
        {/* The start is the same in all of them, and the end says most. */}
        <span class={operation ? "muted" : undefined}>{operation ? path.replace(/^\/api\/v[\d.]+/, "") : path}</span>
        {failure && <span> {failure}</span>}
      </span>
      <span class="tags">
        {attempt > 1 && <Badge tone="plain">attempt {attempt}</Badge>}
        {fault && <Badge tone="warn">fault</Badge>}
        {failure && <Badge tone="bad">failed</Badge>}
      </span>
      <span class="took">{duration(durationMs)}</span>
      <Badge tone={toneOf(status)}>{status ?? "broken"}</Badge>
    </a>
  );
}

/** One line about an activity that isn't a request. */
function summaryOf(activity: Exclude<LogRow["activity"], { type: "request" }>): string {
  switch (activity.type) {
    case "event":
      return activity.event.type;
    case "delivery":
      return `${activity.delivery.type} ${activity.attempt ? (activity.attempt.status ?? activity.attempt.error) : "scheduled"}`;
    case "run":
      return `${activity.call.name} ${activity.step?.type ?? ""} ${activity.step?.outcome ?? ""}`;
    case "change":
      return `${activity.kind} ${activity.recordId} ${activity.action}`;
    case "clock":
      return `${activity.now} ${activity.isRunning ? "running" : "stopped"}`;
    case "control":
      return `${activity.method} ${activity.path} ${activity.error ?? activity.status}`;
    default:
      return "";
  }
}
