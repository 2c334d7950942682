// The room of the inspector's screens: a file for each, and for its details. It imports `parts`, and the page's state.
// Start here, with the first screen. `main.tsx` lists them.

import { REPORTED_CALL } from "../../../shared/control-plane.js";
import { RATE_LIMIT, RATE_LIMIT_LEFT, RATE_LIMIT_WINDOW } from "../../../shared/headers.js";
import { type Activity, call, type InspectorCatalog, type RequestRecord } from "../api.js";
import { dateOf, duration, timeOf, toolFailureIn } from "../format.js";
import { Action, Copy } from "../parts/actions.jsx";
import { Badge, Code, Detail, Empty, Facts } from "../parts/basics.jsx";
import { ListScreen } from "../parts/list-screen.jsx";
import { Message } from "../parts/message.jsx";
import { linkTo, type RoutePlace } from "../router.js";
import { canReplay, codeOf, curlOf, paramsOf } from "../snippets.js";
import { clearLog, type View } from "../store.js";
import { titleOf } from "./deliveries.jsx";

/** The live log of requests, and on request of everything else that happens. */
export function Log({ view, place }: { readonly view: View; readonly place: RoutePlace }) {
  return (
    <ListScreen
      title="Log"
      place={place}
      notice={view.gap && `Some activities are missing here: ${view.gap}.`}
      items={view.activities.toReversed()}
      keyOf={({ id }) => String(id)}
      textOf={textOf}
      searched="path, operation, or body"
      filters={{ requests: "Requests", failed: "Failed", all: "Everything" }}
      isShown={isShown}
      facets={{
        User: (activity) => factsOf(activity, view).user,
        Toolkit: (activity) => factsOf(activity, view).toolkit,
      }}
      controls={() => (
        <button type="button" class="small" onClick={clearLog}>
          Clear
        </button>
      )}
      rowOf={(activity) => <Row activity={activity} view={view} />}
      detailOf={(activity) => <ActivityDetail activity={activity} view={view} />}
      empty={
        <Empty
          title="No requests yet"
          example={`export SVC_BASE_URL=${location.origin}\n\ncurl "$SVC_BASE_URL/api/v3.1/tools" -H "x-api-key: $SVC_API_KEY"`}
        >
          Point a client at this emulator, or run a tool <a href="#/tools">from this page</a>. Each request appears here
          with its headers, bodies, and timing.
        </Empty>
      }
    />
  );
}

/** The facts of a request that its row and the filters show. */
interface RequestFacts {
  /** The tool, account, or other record that it names in its path. */
  readonly subject?: string | undefined;
  readonly user?: string | undefined;
  readonly toolkit?: string | undefined;
}

/** Found once for each request, since a list asks for all of them. */
const known = new WeakMap<Activity, RequestFacts>();

function factsOf(activity: Activity, { catalog }: View): RequestFacts {
  if (activity.type !== "request" || !catalog) return {};
  const facts = known.get(activity) ?? readFacts(activity.request, catalog);
  known.set(activity, facts);
  return facts;
}

function readFacts({ path, operation, body }: RequestRecord, { items, operations }: InspectorCatalog): RequestFacts {
  const template = operations.find(({ name }) => name === operation)?.path;
  const [pathname = "", query = ""] = path.split("?");
  const subject = (template && paramsOf(template, pathname)?.join(" ")) || undefined;
  const parameters = new URLSearchParams(query);
  const found = items.find(
    ({ slug, tools, triggers }) => slug === subject || [...tools, ...triggers].some((owned) => owned.slug === subject),
  );
  return {
    subject,
    user:
      /"user_id":\s*"([^"]+)"/.exec(body)?.[1] ?? parameters.get("user_ids") ?? parameters.get("user_id") ?? undefined,
    toolkit: found?.slug ?? parameters.get("toolkit_slug") ?? parameters.get("toolkit_slugs") ?? undefined,
  };
}

/** A query, readable. */
function queryOf(path: string): string {
  return [...new URLSearchParams(path.split("?")[1])].map((pair) => pair.join("=")).join(" ");
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
function Row({ activity, view }: { readonly activity: Activity; readonly view: View }) {
  if (activity.type !== "request") {
    return (
      <>
        <time>{timeOf(activity.at)}</time>
        <span class="kind muted">{activity.type}</span>
        <span class="what muted">{summaryOf(activity)}</span>
      </>
    );
  }
  const { method, path, operation, status, durationMs, fault, attempt, response } = activity.request;
  const failure = toolFailureIn(response?.body);
  const { subject } = factsOf(activity, view);
  const isSlug = subject !== undefined && /^[A-Z][A-Z\d]*_/.test(subject);
  return (
    <>
      <time>{timeOf(activity.at)}</time>
      <span class="method">{method}</span>
      <span class="what">
        {operation ? (
          <>
            {/* Of the two, a person looks for the tool. */}
            <b>{isSlug ? subject : operation}</b>{" "}
            <span class="muted">{isSlug ? operation : (subject ?? queryOf(path))}</span>
          </>
        ) : (
          path
        )}
        {failure && <span> {failure}</span>}
      </span>
      {attempt !== undefined && attempt > 1 && <span class="took">attempt {attempt}</span>}
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
      return `${titleOf(activity.delivery)} ${activity.attempt ? (activity.attempt.status ?? activity.attempt.error) : "scheduled"}`;
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

/** Everything known about one row of the log. */
function ActivityDetail({ activity, view }: { readonly activity: Activity; readonly view: View }) {
  if (activity.type === "request") return <RequestDetail request={activity.request} view={view} />;
  return (
    <Detail title={activity.type}>
      {activity.type === "delivery" && <a href={linkTo("deliveries", activity.delivery.id)}>Open the delivery</a>}
      {activity.type === "run" && <a href={linkTo("runs", activity.call.id)}>Open the call</a>}
      <Code text={JSON.stringify(activity, null, 2)} label="Activity" />
    </Detail>
  );
}

function RequestDetail({ request, view }: { readonly request: RequestRecord; readonly view: View }) {
  const { method, path, status, operation, at, durationMs, attempt, fault, response, headers, body } = request;
  const code = codeOf(request, view.catalog?.operations ?? []);
  const runId = headers[REPORTED_CALL];
  return (
    <Detail title={`${method} ${path}`} badge={<Badge value={status} />}>
      <div class="buttons">
        {canReplay(request) && (
          <Action kind="primary" run={() => call("POST", "/replay", { method, path, body })} label="Replay the request">
            Replay
          </Action>
        )}
        <Copy label="Copy as curl" text={() => curlOf(request, location.origin)} />
        {code && <Copy label="Copy as code" text={() => code} />}
      </div>
      <Facts
        items={{
          Operation: operation ?? <span class="muted">none matches the path</span>,
          Received: `${dateOf(at)} UTC`,
          Took: duration(durationMs),
          Run: runId && <a href={linkTo("runs", runId)}>Open the model's call</a>,
          Attempt: attempt !== undefined && attempt > 1 && attempt,
          "Rate limit": rateLimitOf(response?.headers ?? {}),
          "Injected fault": fault && <Badge value={fault} tone="warn" />,
        }}
      />
      <Message title="Request" {...request} without={hasNoBody(request)} />
      {response ? (
        <Message title="Response" {...response} />
      ) : (
        <p class="problem">No response: the fault broke the connection{fault ? ` (${fault})` : ""}.</p>
      )}
    </Detail>
  );
}

function hasNoBody({ status, method }: RequestRecord): string {
  const isRejected = status === 401 || status === 403 || status === 413 || status === 429;
  return isRejected && method !== "GET" ? "Its body wasn't read." : "No body.";
}

function rateLimitOf(headers: Readonly<Record<string, string>>): string | undefined {
  const { [RATE_LIMIT]: limit, [RATE_LIMIT_LEFT]: left, [RATE_LIMIT_WINDOW]: size } = headers;
  return limit === undefined || Number(left) > Number(limit) / 5 ? undefined : `${left} of ${limit} left in ${size}`;
}
