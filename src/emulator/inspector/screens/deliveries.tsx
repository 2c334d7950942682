import { call, type DeliveryAttempt, type DeliveryRecord } from "../api.js";
import { dateOf, timeOf } from "../format.js";
import { Action } from "../parts/actions.jsx";
import { Badge, Detail, Empty, Facts } from "../parts/basics.jsx";
import { ListScreen } from "../parts/list-screen.jsx";
import { Block, Message } from "../parts/message.jsx";
import { SchemaForm } from "../parts/schema-form.jsx";
import { go, linkTo, type RoutePlace } from "../router.js";
import type { View } from "../store.js";
import { DELIVERY_FAULTS } from "./faults.jsx";

/** The code that creates a webhook subscription. */
const CREATE_SUBSCRIPTION = `await svc.webhookSubscriptions.create({
  webhook_url: "http://localhost:3000/webhooks",
  enabled_events: ["svc.trigger.message"],
});`;

/** Webhook deliveries with their attempts. */
export function Deliveries({ view, place }: { readonly view: View; readonly place: RoutePlace }) {
  const hasSubscription = view.state !== undefined && view.state.subscriptions.length > 0;
  return (
    <ListScreen
      title="Deliveries"
      place={place}
      items={[...view.deliveries.values()].reverse()}
      keyOf={({ id }) => id}
      textOf={({ id, type, state, body }) => `${id} ${type} ${state} ${body}`}
      searched="type, state, or body"
      filters={{
        ...{ all: "All", pending: "Pending", delivered: "Delivered", duplicate: "Duplicate", failed: "Failed" },
      }}
      isShown={({ state }, show) => show === "all" || show === state}
      facets={{ User: ({ body }) => valueIn(body, "user_id"), Toolkit: (delivery) => toolkitOf(delivery, view) }}
      controls={() => <ResendFailed view={view} />}
      rowOf={(delivery) => <Row delivery={delivery} />}
      detailOf={(delivery) => <DeliveryDetail key={delivery.id} delivery={delivery} />}
      empty={
        <Empty title="No deliveries yet" example={hasSubscription ? undefined : CREATE_SUBSCRIPTION}>
          {hasSubscription ? (
            <>
              A subscription exists. <a href="#/state/triggers">Fire a trigger</a>, or{" "}
              <a href="#/state/accounts">expire an account</a>, to send its receiver an event.
            </>
          ) : (
            "Events are delivered to webhook subscriptions. Create one for your receiver:"
          )}
        </Empty>
      }
    />
  );
}

/** The trigger of a delivery, or the event type. */
export function titleOf({ type, body }: DeliveryRecord): string {
  return valueIn(body, "trigger_slug|trigger_name") ?? type;
}

function Row({ delivery }: { readonly delivery: DeliveryRecord }) {
  const { state, attempts, resend, body, createdAt, dueAt } = delivery;
  const last = attempts.at(-1);
  const user = valueIn(body, "user_id");
  const isFine = state === "delivered" && attempts.length === 1;
  return (
    <>
      <time>{timeOf(createdAt)}</time>
      <span class="what">
        <b>{titleOf(delivery)}</b> {user && <span class="muted">for {user} </span>}
        <span class="muted">{last?.request?.url}</span>
      </span>
      {resend && <span class="took">resent</span>}
      {dueAt !== null && <span class="took next">next at {timeOf(isoOf(dueAt)).slice(0, 8)}</span>}
      {!isFine && attempts.length > 0 && (
        <span class="took">
          {attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`}
          {last && last.status !== 200 && `, ${last.status ?? "no response"}`}
        </span>
      )}
      <span class="end">
        <Badge value={state} />
      </span>
    </>
  );
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The toolkit of a delivery's trigger or account. */
function toolkitOf({ body }: DeliveryRecord, { catalog }: View): string | undefined {
  const trigger = valueIn(body, "trigger_slug|trigger_name");
  const found = catalog?.items.find(({ triggers }) => triggers.some(({ slug }) => slug === trigger));
  return found?.slug ?? /"toolkit":\{"slug":"([^"]+)"/.exec(body)?.[1];
}

/** The failed deliveries that weren't sent again with success. */
function failedIn({ deliveries }: View): readonly DeliveryRecord[] {
  const all = [...deliveries.values()];
  const repaired = new Set(all.flatMap(({ resend, state }) => (resend && state !== "failed" ? [resend.of] : [])));
  return all.filter(({ id, state }) => state === "failed" && !repaired.has(id));
}

/** A button that sends all failed deliveries again. */
function ResendFailed({ view }: { readonly view: View }) {
  const failed = failedIn(view).filter(({ resend }) => !resend);
  if (failed.length === 0) return null;
  const resend = async () => {
    for (const { id } of failed) await call("POST", `/deliveries/${encodeURIComponent(id)}/resend`, { sign: true });
  };
  return (
    <Action kind="primary" run={resend}>
      Resend {failed.length} failed
    </Action>
  );
}

/** How many deliveries have failed, for the navigation. */
export function FailedTally(view: View) {
  const { length } = failedIn(view).filter(({ resend }) => !resend);
  return length > 0 ? <span class="tally bad">{length} failed</span> : null;
}

/** The value of a field of an event, in any format. */
function valueIn(body: string, names: string): string | undefined {
  return new RegExp(`"(?:${names})":"([^"]+)"`).exec(body)?.[1];
}

/** One delivery: its body, its attempts, and ways to send it again. */
function DeliveryDetail({ delivery }: { readonly delivery: DeliveryRecord }) {
  const { id, type, state, eventId, subscriptionId, version, body, attempts, dueAt, resend } = delivery;
  return (
    <Detail title={type} badge={<Badge value={state} />}>
      <Facts
        items={{
          Delivery: <code>{id}</code>,
          "Event (webhook-id)": <code>{eventId}</code>,
          Subscription: <a href={linkTo("state", "subscriptions")}>{subscriptionId}</a>,
          Format: version,
          "Next attempt": dueAt !== null && <NextAttempt dueAt={dueAt} />,
          "Resent from": resend && <a href={linkTo("deliveries", resend.of)}>{resend.of}</a>,
        }}
      />
      <SendAgain delivery={delivery} />
      <Block title="Body" text={body} />
      {attempts.length === 0 && <p class="hint">No attempt has ended yet.</p>}
      {attempts.toReversed().map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
    </Detail>
  );
}

/** When a delivery is sent next. The clock can be advanced to it. */
function NextAttempt({ dueAt }: { readonly dueAt: number }) {
  return (
    <span class="buttons">
      {dateOf(isoOf(dueAt))} UTC
      <Action run={() => call("PUT", "/clock", { to: isoOf(dueAt) })}>Advance the clock to it</Action>
    </span>
  );
}

function Attempt({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const { number, startedAt, endedAt, status, error, request, response } = attempt;
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <h3>
        Attempt {number} <Badge value={status} />{" "}
        <span class="muted">
          {timeOf(startedAt)} to {timeOf(endedAt)}
        </span>
      </h3>
      {error && <p class="problem">{error}</p>}
      {request && (
        <Message title={`Request ${number}`} {...request} without={`To ${request.url}, with the body above.`} />
      )}
      {response && <Message title={`Response ${number}`} {...response} />}
    </section>
  );
}

/** Sends a delivery again, exactly or changed. */
function SendAgain({ delivery: { id, body } }: { readonly delivery: DeliveryRecord }) {
  const resend = async (options: object) => {
    const path = `/deliveries/${encodeURIComponent(id)}/resend`;
    const { items } = await call<{ items: readonly DeliveryRecord[] }>("POST", path, options);
    if (items[0]) go(linkTo("deliveries", items[0].id));
  };
  const { copies, skewSeconds, wrongSecret } = DELIVERY_FAULTS;
  const properties = {
    body: { label: "Body", type: "string", contentMediaType: "application/json", default: body },
    copies: { ...copies, label: "Copies", default: 1 },
    skewSeconds: { ...skewSeconds, default: 0 },
    wrongSecret,
  };
  return (
    <section aria-label="Resend">
      <div class="buttons">
        <Action kind="primary" run={() => resend({})}>
          Resend byte for byte
        </Action>
        <Action run={() => resend({ sign: true })}>Resend with a new signature</Action>
      </div>
      <details>
        <summary>Send something else</summary>
        <SchemaForm
          schema={{ properties, required: Object.keys(properties) }}
          submit="Send"
          onSubmit={(values) => resend({ ...values, sign: true })}
        />
      </details>
    </section>
  );
}
