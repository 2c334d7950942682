import { useMemo } from "preact/hooks";
import { call, type InspectorState } from "../api.js";
import { count, dateOf } from "../format.js";
import { Action } from "../parts/actions.jsx";
import { Badge, Head, useRealTime } from "../parts/basics.jsx";
import { SchemaForm } from "../parts/schema-form.jsx";
import type { View } from "../store.js";
import { DeliveryFaults, Faults, LogFaults } from "./faults.jsx";

/** The clock, the rate limit, and faults. */
export function Time({ view: { state, catalog } }: { readonly view: View }) {
  return (
    <>
      <Head title="Clock and faults" />
      <div class="scroll cards">
        {state ? (
          <>
            <ClockCard state={state} />
            <Faults state={state} operations={catalog?.operations ?? []} />
            <DeliveryFaults key={JSON.stringify(state.deliveryFaults)} faults={state.deliveryFaults} />
            <LogFaults key={JSON.stringify(state.logFaults)} faults={state.logFaults} />
          </>
        ) : (
          <p class="hint">Reading the state…</p>
        )}
      </div>
    </>
  );
}

const STEPS = { "1 minute": "1m", "1 hour": "1h", "1 day": "1d", "30 days": "30d" };

const ADVANCE = {
  advance: { label: "Advance by", type: "string", default: "90s", description: "For example 90s, 10m, 2h, or 30d." },
};

const JUMP = { to: { label: "Jump to (UTC)", type: "time" } };

function ClockCard({ state }: { readonly state: InspectorState }) {
  const realTime = useRealTime();
  const readAt = useMemo(Date.now, [state]);
  const passedMs = state.isRunning ? Math.max(0, realTime - readAt) : 0;
  const now = new Date(Date.parse(state.now) + passedMs).toISOString();
  return (
    <section class="card wide" aria-labelledby="clock">
      <header>
        <h2 id="clock">Clock</h2>
        <Badge value={state.isRunning ? "running" : "paused"} />
      </header>
      <p class="big">
        <time dateTime={now}>{dateOf(now)}</time> <span class="muted">UTC</span>
      </p>
      <p class="muted">Tokens, links, retries, and the rate limit follow this clock. It never goes back.</p>
      <RateLimit state={state} />
      <div class="buttons">
        <Action kind="primary" run={() => call("PUT", "/clock", { isRunning: !state.isRunning })}>
          {state.isRunning ? "Pause" : "Resume"}
        </Action>
        {Object.entries(STEPS).map(([label, advance]) => (
          <Action key={advance} run={() => call("POST", "/clock", { advance })} label={`Advance by ${label}`}>
            + {label}
          </Action>
        ))}
      </div>
      <SchemaForm
        schema={{ properties: ADVANCE, required: ["advance"] }}
        submit="Advance"
        kind="small"
        onSubmit={(values) => call("POST", "/clock", values)}
      />
      <SchemaForm
        schema={{ properties: JUMP, required: ["to"] }}
        submit="Jump"
        kind="small"
        onSubmit={({ to }) => call("PUT", "/clock", { to: `${to}Z` })}
      />
    </section>
  );
}

/** The requests left, as a line of the clock's card. */
function RateLimit({ state: { rateLimit } }: { readonly state: InspectorState }) {
  const { limit, used, resetsAt, windowSeconds } = rateLimit;
  const isClose = used >= limit * 0.8;
  return (
    <p class={isClose ? "problem" : "muted"}>
      {count(limit - used)} of {count(limit)} requests left
      {resetsAt === null ? ` per ${windowSeconds} seconds.` : ` until ${dateOf(resetsAt).slice(11)} UTC.`}
    </p>
  );
}
