import { call } from "../api.js";
import { dateOf, duration } from "../format.js";
import { Action, Badge, CopyButton, Facts, toneOf } from "../parts/basics.jsx";
import { Code, Message } from "../parts/message.jsx";
import { linkTo } from "../router.js";
import { codeOf, curlOf, testOf } from "../snippets.js";
import type { View } from "../store.js";
import type { Activity, RequestRecord } from "../view-types.js";

/** Everything known about one row of the log. */
export function ActivityDetail({ activity, view }: { readonly activity: Activity; readonly view: View }) {
  if (activity.type === "request") return <RequestDetail request={activity.request} view={view} />;
  return (
    <article aria-label={`${activity.type} ${activity.id}`}>
      <h2 class="title">{activity.type}</h2>
      {activity.type === "delivery" && (
        <p>
          <a href={linkTo("deliveries", activity.delivery.id)}>Open the delivery</a>
        </p>
      )}
      {activity.type === "run" && (
        <p>
          <a href={linkTo("runs", activity.call.id)}>Open the call</a>
        </p>
      )}
      <Code text={JSON.stringify(activity, null, 2)} label="Activity" />
    </article>
  );
}

function RequestDetail({ request, view }: { readonly request: RequestRecord; readonly view: View }) {
  const { method, path, status, operation, at, durationMs, attempt, fault, response, headers, body } = request;
  const operations = view.catalog?.operations ?? [];
  return (
    <article aria-label={`${method} ${path}`}>
      <h2 class="title">
        <Badge tone={toneOf(status)}>{status ?? "broken"}</Badge> <span class="method">{method}</span>{" "}
        <span class="path">{path}</span>
      </h2>
      <div class="buttons">
        {operation && !body.includes('..."') && (
          <Action kind="primary" run={() => call("POST", "/replay", { method, path, body })} label="Replay the request">
            Replay
          </Action>
        )}
        <CopyButton label="Copy as curl" text={() => curlOf(request, location.origin)} />
        <CopyButton label="Copy as code" text={() => codeOf(request, operations)} />
        <CopyButton label="Copy as test" text={() => testOf(request, operations)} />
      </div>
      <Facts
        items={[
          ["Operation", operation ?? <span class="muted">none matches the path</span>],
          ["Received", `${dateOf(at)} UTC`],
          ["Took", duration(durationMs)],
          ...(headers["x-emulator-call"]
            ? [
                [
                  "Call",
                  <a key="call" href={linkTo("runs", headers["x-emulator-call"])}>
                    Open the call of a model
                  </a>,
                ] as const,
              ]
            : []),
          ["Attempt", attempt === 1 ? "first" : `${attempt} (an equal request before it failed)`],
          ["Rate limit", rateLimitOf(response?.headers ?? {})],
          ...(fault
            ? [
                [
                  "Injected fault",
                  <Badge key="fault" tone="warn">
                    {fault}
                  </Badge>,
                ] as const,
              ]
            : []),
        ]}
      />
      <Message title="Request" {...request} without={hasNoBody(request)} />
      {response ? (
        <Message title="Response" {...response} />
      ) : (
        <p class="problem">No response: the fault broke the connection{fault ? ` (${fault})` : ""}.</p>
      )}
    </article>
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
