import { useMemo } from "preact/hooks";
import { count, timeOf } from "../format.js";
import { Badge, DELIVERY_TONES, Empty, Head, toneOf } from "../parts/basics.jsx";
import { Code } from "../parts/message.jsx";
import { Split } from "../parts/split.jsx";
import { VirtualList } from "../parts/virtual-list.jsx";
import { go, linkTo, type Place } from "../router.js";
import type { View } from "../store.js";
import type { DeliveryRecord } from "../view-types.js";
import { DeliveryDetail } from "./delivery-detail.jsx";

const STATES = ["all", "pending", "delivered", "failed"];

/** Webhook deliveries with their attempts. */
export function Deliveries({ view, place }: { readonly view: View; readonly place: Place }) {
  const search = place.query.get("q") ?? "";
  const state = place.query.get("state") ?? "all";
  const query = { ...(search && { q: search }), ...(state !== "all" && { state }) };
  const items = useMemo(
    () =>
      [...view.deliveries.values()]
        .filter(
          (delivery) =>
            (state === "all" || delivery.state === state) &&
            `${delivery.id} ${delivery.type} ${delivery.state} ${delivery.body}`
              .toLowerCase()
              .includes(search.toLowerCase()),
        )
        .reverse(),
    [view.deliveries, search, state],
  );
  const selected = place.item === undefined ? undefined : view.deliveries.get(place.item);
  return (
    <>
      <Head title="Deliveries">
        <search class="bar">
          <input
            type="search"
            class="search"
            aria-label="Search deliveries"
            placeholder="Search type, state, or body (press /)"
            value={search}
            onInput={({ currentTarget }) =>
              go(linkTo("deliveries", place.item, { ...query, q: currentTarget.value }), true)
            }
          />
          <fieldset class="segments">
            <legend class="hidden">State</legend>
            {STATES.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={state === name}
                onClick={() =>
                  go(linkTo("deliveries", place.item, { q: search, state: name === "all" ? "" : name }), true)
                }
              >
                {name[0]?.toUpperCase()}
                {name.slice(1)}
              </button>
            ))}
          </fieldset>
        </search>
      </Head>
      <Split
        list={
          items.length > 0 ? (
            <>
              <p class="count">
                {count(items.length)} of {count(view.deliveries.size)}
              </p>
              <VirtualList
                label="Deliveries"
                items={items}
                rowHeight={36}
                keyOf={({ id }) => id}
                selected={place.item}
                onSelect={({ id }) => go(linkTo("deliveries", id, query), place.item !== undefined)}
              >
                {(delivery) => (
                  <Row
                    delivery={delivery}
                    isSelected={delivery === selected}
                    link={linkTo("deliveries", delivery.id, query)}
                  />
                )}
              </VirtualList>
            </>
          ) : (
            <NoDeliveries view={view} isFiltered={search !== "" || state !== "all"} />
          )
        }
        detail={
          place.item === undefined ? undefined : selected ? (
            <DeliveryDetail key={selected.id} delivery={selected} />
          ) : (
            <p class="hint">There's no delivery {place.item}, or it's no longer kept.</p>
          )
        }
        back={linkTo("deliveries", undefined, query)}
      />
    </>
  );
}

interface RowProps {
  readonly delivery: DeliveryRecord;
  readonly isSelected: boolean;
  readonly link: string;
}

function Row({ delivery: { type, state, attempts, resend, version, body }, isSelected, link }: RowProps) {
  const last = attempts.at(-1);
  const trigger = valueIn(body, "trigger_slug|trigger_name");
  const user = valueIn(body, "user_id");
  return (
    <a class="row delivery" href={link} aria-current={isSelected ? "true" : undefined} tabIndex={-1}>
      <time>{last ? timeOf(last.startedAt) : ""}</time>
      <span class="what">
        <b>{trigger ?? type}</b> {user && <span>for {user} </span>}
        <span class="muted">
          {version} {last?.request?.url}
        </span>
      </span>
      <span class="tags">{resend && <Badge tone="plain">resent</Badge>}</span>
      <span class="took">
        {attempts.length} {attempts.length === 1 ? "attempt" : "attempts"}
      </span>
      <Badge tone={last ? toneOf(last.status) : "plain"}>{last ? (last.status ?? "broken") : "none"}</Badge>
      <Badge tone={DELIVERY_TONES[state]}>{state}</Badge>
    </a>
  );
}

/** The value of a field of an event, in any format. */
function valueIn(body: string, names: string): string | undefined {
  return new RegExp(`"(?:${names})":"([^"]+)"`).exec(body)?.[1];
}

function NoDeliveries({ view, isFiltered }: { readonly view: View; readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="Nothing matches">
        <p>Change the search to see more.</p>
      </Empty>
    );
  }
  const hasSubscription = (view.state?.subscriptions.length ?? 0) > 0;
  return (
    <Empty title="No deliveries yet">
      {hasSubscription ? (
        <p>
          A subscription exists. <a href="#/state/triggers">Fire a trigger</a>, or{" "}
          <a href="#/state/accounts">expire an account</a>, to send its receiver an event.
        </p>
      ) : (
        <>
          <p>Events are delivered to webhook subscriptions. Create one for your receiver:</p>
          <Code
            text={`await svc.webhookSubscriptions.create({\n  webhook_url: "http://localhost:3000/webhooks",\n  enabled_events: ["svc.trigger.message"],\n});`}
            label="Example"
          />
        </>
      )}
    </Empty>
  );
}
