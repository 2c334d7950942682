import { type Activity, call, type RequestRecord } from "../api.js";
import { dateOf, duration } from "../format.js";
import { Action, Copy } from "../parts/actions.jsx";
import { Badge, Code, Detail, Facts } from "../parts/basics.jsx";
import { Message } from "../parts/message.jsx";
import { linkTo } from "../router.js";
import { codeOf, curlOf, testOf } from "../snippets.js";
import type { View } from "../store.js";

/** Everything known about one row of the log. */
export function ActivityDetail({ activity, view }: { readonly activity: Activity; readonly view: View }) {
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
  const operations = view.catalog?.operations ?? [];
  const runId = headers["x-emulator-call"];
  return (
    <Detail title={`${method} ${path}`} badge={<Badge value={status} />}>
      <div class="buttons">
        {operation && !body.includes('..."') && (
          <Action kind="primary" run={() => call("POST", "/replay", { method, path, body })} label="Replay the request">
            Replay
          </Action>
        )}
        <Copy label="Copy as curl" text={() => curlOf(request, location.origin)} />
        <Copy label="Copy as code" text={() => codeOf(request, operations)} />
        <Copy label="Copy as test" text={() => testOf(request, operations)} />
      </div>
      <Facts
        items={{
          Operation: operation ?? <span class="muted">none matches the path</span>,
          Received: `${dateOf(at)} UTC`,
          Took: duration(durationMs),
          Call: runId && <a href={linkTo("runs", runId)}>Open the call of a model</a>,
          Attempt: attempt === 1 ? "first" : `${attempt} (an equal request before it failed)`,
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

function rateLimitOf(headers: Readonly<Record<string, string>>): string {
  const { "x-ratelimit": limit, "x-ratelimit-remaining": left, "x-ratelimit-window-size": size } = headers;
  return limit === undefined ? "not reported" : `${left} of ${limit} left in ${size}`;
}
