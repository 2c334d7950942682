import { call, type DeliveryAttempt, type DeliveryRecord } from "../api.js";
import { dateOf, timeOf } from "../format.js";
import { Action } from "../parts/actions.jsx";
import { Badge, Detail, Empty, Facts } from "../parts/basics.jsx";
import { ListScreen } from "../parts/list-screen.jsx";
import { Block, Message } from "../parts/message.jsx";
import { SchemaForm } from "../parts/schema-form.jsx";
import { go, linkTo, type Place } from "../router.js";
import type { View } from "../store.js";
import { DELIVERY_FAULTS } from "./faults.jsx";

/** The code that creates a webhook subscription. */
const CREATE_SUBSCRIPTION = `await svc.webhookSubscriptions.create({
  webhook_url: "http://localhost:3000/webhooks",
  enabled_events: ["svc.trigger.message"],
});`;

/** Webhook deliveries with their attempts. */
export function Deliveries({ view, place }: { readonly view: View; readonly place: Place }) {
  const hasSubscription = view.state !== undefined && view.state.subscriptions.length > 0;
  return (
    <ListScreen
      title="Deliveries"
      place={place}
      items={[...view.deliveries.values()].reverse()}
      keyOf={({ id }) => id}
      textOf={({ id, type, state, body }) => `${id} ${type} ${state} ${body}`}
      searched="type, state, or body"
      filters={{ all: "All", pending: "Pending", delivered: "Delivered", failed: "Failed" }}
      isShown={({ state }, show) => show === "all" || show === state}
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
  const { state, attempts, resend, version, body } = delivery;
  const last = attempts.at(-1);
  const user = valueIn(body, "user_id");
  return (
    <>
      <time>{last ? timeOf(last.startedAt) : ""}</time>
      <span class="what">
        <b>{titleOf(delivery)}</b> {user && <span>for {user} </span>}
        <span class="muted">
          {version} {last?.request?.url}
        </span>
      </span>
      {resend && <Badge value="resent" />}
      <span class="took">
        {attempts.length} {attempts.length === 1 ? "attempt" : "attempts"}
      </span>
      <span class="end">{last && <Badge value={last.status} />}</span>
      <span class="end">
        <Badge value={state} />
      </span>
    </>
  );
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
          "Next attempt": dueAt !== null && `${dateOf(new Date(dueAt).toISOString())} UTC`,
          "Sent again from": resend && <a href={linkTo("deliveries", resend.of)}>{resend.of}</a>,
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
    <section aria-label="Send again">
      <div class="buttons">
        <Action kind="primary" run={() => resend({})}>
          Resend byte for byte
        </Action>
        <Action run={() => resend({ sign: true })}>Send again, newly signed</Action>
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
