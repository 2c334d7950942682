import { call, type DeliveryAttempt, type DeliveryRecord } from "../api.js";
import { dateOf, timeOf } from "../format.js";
import { Action } from "../parts/actions.jsx";
import { Badge, Detail, Facts } from "../parts/basics.jsx";
import { Block, Message } from "../parts/message.jsx";
import { SchemaForm } from "../parts/schema-form.jsx";
import { go, linkTo } from "../router.js";
import { DELIVERY_FAULTS } from "./faults.jsx";

/** One delivery: its body, its attempts, and ways to send it again. */
export function DeliveryDetail({ delivery }: { readonly delivery: DeliveryRecord }) {
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
