import { useState } from "preact/hooks";
import { call } from "../api.js";
import { dateOf, pretty, timeOf } from "../format.js";
import { Action, Badge, CopyButton, DELIVERY_TONES, Facts, toneOf } from "../parts/basics.jsx";
import { Code, Message } from "../parts/message.jsx";
import { go, linkTo } from "../router.js";
import type { DeliveryAttempt, DeliveryRecord } from "../view-types.js";

/** One delivery: its body, its attempts, and ways to send it again. */
export function DeliveryDetail({ delivery }: { readonly delivery: DeliveryRecord }) {
  const { id, type, state, eventId, subscriptionId, version, body, attempts, dueAt, resend } = delivery;
  return (
    <article aria-label={`Delivery ${id}`}>
      <h2 class="title">
        <Badge tone={DELIVERY_TONES[state]}>{state}</Badge> <span class="path">{type}</span>
      </h2>
      <Facts
        items={[
          ["Delivery", <code key="id">{id}</code>],
          ["Event (webhook-id)", <code key="event">{eventId}</code>],
          [
            "Subscription",
            <a key="link" href={linkTo("state", "subscriptions")}>
              {subscriptionId}
            </a>,
          ],
          ["Format", version],
          ...(dueAt === null ? [] : [["Next attempt", `${dateOf(new Date(dueAt).toISOString())} UTC`] as const]),
          ...(resend
            ? [
                [
                  "Sent again from",
                  <a key="of" href={linkTo("deliveries", resend.of)}>
                    {resend.of}
                  </a>,
                ] as const,
              ]
            : []),
        ]}
      />
      <ResendForm delivery={delivery} />
      <section class="message" aria-label="Body">
        <header>
          <h3>Body</h3>
          <CopyButton label="Copy body" text={() => body} />
        </header>
        <Code text={pretty(body)} label="Body of the delivery" />
      </section>
      {attempts.length === 0 && <p class="hint">No attempt has ended yet.</p>}
      {[...attempts].reverse().map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
    </article>
  );
}

function Attempt({
  attempt: { number, startedAt, endedAt, status, error, request, response },
}: {
  readonly attempt: DeliveryAttempt;
}) {
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <h3>
        Attempt {number} <Badge tone={toneOf(status)}>{status ?? "no response"}</Badge>
        <span class="muted">
          {timeOf(startedAt)} to {timeOf(endedAt)}
        </span>
      </h3>
      {error && <p class="problem">{error}</p>}
      {request && (
        <Message
          title={`Request ${number}`}
          headers={request.headers}
          body=""
          without={`To ${request.url}, with the body above.`}
        />
      )}
      {response && <Message title={`Response ${number}`} headers={response.headers} body={response.body} />}
    </section>
  );
}

/** Sends a delivery again, exactly or changed. */
function ResendForm({ delivery }: { readonly delivery: DeliveryRecord }) {
  const [body, setBody] = useState(delivery.body);
  const [copies, setCopies] = useState("1");
  const [skew, setSkew] = useState("0");
  const [isWrong, setWrong] = useState(false);
  const resend = async (options: object) => {
    // The control plane's document says what it returns.
    const { items } = (await call("POST", `/deliveries/${encodeURIComponent(delivery.id)}/resend`, options)) as {
      items: readonly DeliveryRecord[];
    };
    if (items[0]) go(linkTo("deliveries", items[0].id));
  };
  const changed = () => ({
    sign: true,
    copies: Number(copies),
    skewSeconds: Number(skew),
    wrongSecret: isWrong,
    ...(body !== delivery.body && { body }),
  });
  return (
    <section class="resend" aria-label="Send again">
      <div class="buttons">
        <Action kind="primary" run={() => resend({})}>
          Resend byte for byte
        </Action>
        <Action run={() => resend({ sign: true })}>Send again, newly signed</Action>
      </div>
      <details>
        <summary>Send something else</summary>
        <div class="form">
          <label class="wide">
            Body
            <textarea
              rows={6}
              value={body}
              spellcheck={false}
              onInput={({ currentTarget }) => setBody(currentTarget.value)}
            />
          </label>
          <label>
            Copies
            <input
              type="number"
              min={1}
              max={100}
              value={copies}
              onInput={({ currentTarget }) => setCopies(currentTarget.value)}
            />
          </label>
          <label>
            Clock skew in seconds
            <input type="number" value={skew} onInput={({ currentTarget }) => setSkew(currentTarget.value)} />
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={isWrong}
              onChange={({ currentTarget }) => setWrong(currentTarget.checked)}
            />
            Sign with a wrong secret
          </label>
          <div class="wide">
            <Action kind="primary" run={() => resend(changed())}>
              Send
            </Action>
          </div>
        </div>
      </details>
    </section>
  );
}
