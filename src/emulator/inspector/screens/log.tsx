import { useState } from "preact/hooks";
import type { Activity } from "../api.js";
import { count, duration, timeOf, toolFailureIn } from "../format.js";
import { Badge, Empty } from "../parts/basics.jsx";
import { ListScreen } from "../parts/list-screen.jsx";
import type { Place } from "../router.js";
import { clearLog, type View } from "../store.js";
import { ActivityDetail } from "./activity-detail.jsx";

/** The live log of requests, and on request of everything else that happens. */
export function Log({ view, place }: { readonly view: View; readonly place: Place }) {
  const [frozen, setFrozen] = useState<readonly Activity[]>();
  const last = frozen?.at(-1)?.id ?? 0;
  return (
    <ListScreen
      title="Log"
      place={place}
      notice={view.gap && `Some activities are missing here: ${view.gap}.`}
      items={(frozen ?? view.activities).toReversed()}
      keyOf={({ id }) => String(id)}
      textOf={textOf}
      searched="path, operation, or body"
      filters={{ requests: "Requests", failed: "Failed", all: "Everything" }}
      isShown={isShown}
      controls={() => (
        <>
          <button
            type="button"
            class="small"
            aria-pressed={frozen !== undefined}
            onClick={() => setFrozen(frozen ? undefined : view.activities)}
          >
            {frozen ? `Resume (${count(view.activities.filter(({ id }) => id > last).length)} new)` : "Pause"}
          </button>
          <button type="button" class="small" onClick={clearLog}>
            Clear
          </button>
        </>
      )}
      rowOf={(activity) => <Row activity={activity} />}
      detailOf={(activity) => <ActivityDetail activity={activity} view={view} />}
      empty={
        <Empty
          title="No requests yet"
          example={`export SVC_BASE_URL=${location.origin}\nexport SVC_API_KEY=ak_emulator\n\ncurl "$SVC_BASE_URL/api/v3.1/tools" -H "x-api-key: $SVC_API_KEY"`}
        >
          Point a client at this emulator, or run a tool <a href="#/tools">from this page</a>. Each request appears here
          with its headers, bodies, and timing.
        </Empty>
      }
    />
  );
}

function textOf(activity: Activity): string {
  if (activity.type !== "request") return `${activity.type} ${JSON.stringify(activity)}`;
  const { method, path, operation, status, fault, body, response } = activity.request;
  return [method, path, operation, status ?? "broken", fault, body, response?.body].filter(Boolean).join(" ");
}

function isShown(activity: Activity, show: string): boolean {
  if (show === "all") return true;
  if (activity.type !== "request") return false;
  const { status, response } = activity.request;
  return show !== "failed" || status === undefined || status >= 400 || toolFailureIn(response?.body) !== undefined;
}

/** A line of the log: a request, or another activity. */
function Row({ activity }: { readonly activity: Activity }) {
  if (activity.type !== "request") {
    return (
      <>
        <time>{timeOf(activity.at)}</time>
        <span class="method muted">{activity.type}</span>
        <span class="what muted">{summaryOf(activity)}</span>
      </>
    );
  }
  const { method, path, operation, status, durationMs, fault, attempt, response } = activity.request;
  const failure = toolFailureIn(response?.body);
  return (
    <>
      <time>{timeOf(activity.at)}</time>
      <span class="method">{method}</span>
      <span class="what">
        {operation && <b>{operation} </b>}
        {/* The start is the same in all of them, and the end says most. */}
        <span class={operation ? "muted" : undefined}>{operation ? path.replace(/^\/api\/v[\d.]+/, "") : path}</span>
        {failure && <span> {failure}</span>}
      </span>
      {attempt > 1 && <Badge value={`attempt ${attempt}`} />}
      {fault && <Badge value="fault" />}
      {failure && <Badge value="failed" />}
      <span class="took">{duration(durationMs)}</span>
      <span class="end">
        <Badge value={status} />
      </span>
    </>
  );
}

/** One line about an activity that isn't a request. */
function summaryOf(activity: Exclude<Activity, { type: "request" }>): string {
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
