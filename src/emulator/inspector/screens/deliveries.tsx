import type { DeliveryRecord } from "../api.js";
import { timeOf } from "../format.js";
import { Badge, Empty } from "../parts/basics.jsx";
import { ListScreen } from "../parts/list-screen.jsx";
import type { Place } from "../router.js";
import type { View } from "../store.js";
import { DeliveryDetail } from "./delivery-detail.jsx";
import { CREATE_SUBSCRIPTION } from "./state.jsx";

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

function Row({ delivery: { type, state, attempts, resend, version, body } }: { readonly delivery: DeliveryRecord }) {
  const last = attempts.at(-1);
  const user = valueIn(body, "user_id");
  return (
    <>
      <time>{last ? timeOf(last.startedAt) : ""}</time>
      <span class="what">
        <b>{valueIn(body, "trigger_slug|trigger_name") ?? type}</b> {user && <span>for {user} </span>}
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
