import { useEffect, useState } from "preact/hooks";
import { call } from "../api.js";
import { count, dateOf } from "../format.js";
import { Action, Badge, Head } from "../parts/basics.jsx";
import { readState, type View } from "../store.js";
import type { StateView } from "../view-types.js";
import { DeliveryFaults } from "./delivery-faults.jsx";
import { Faults } from "./faults.jsx";

/** The clock, the rate limit, and faults. */
export function Time({ view }: { readonly view: View }) {
  const { state } = view;
  return (
    <>
      <Head title="Time and trouble" />
      <div class="scroll cards">
        {state ? (
          <>
            <ClockCard state={state} />
            <RateLimitCard state={state} />
            <Faults state={state} operations={view.catalog?.operations ?? []} />
            <DeliveryFaults key={JSON.stringify(state.deliveryFaults)} faults={state.deliveryFaults} />
          </>
        ) : (
          <p class="hint">Reading the state…</p>
        )}
      </div>
    </>
  );
}

/** The emulator's time, which moves between readings if its clock runs. */
function useNow({ now, isRunning }: StateView): string {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    setPassed(0);
    if (!isRunning) return undefined;
    const since = Date.now();
    const timer = setInterval(() => setPassed(Date.now() - since), 1_000);
    return () => clearInterval(timer);
  }, [now, isRunning]);
  return new Date(Date.parse(now) + passed).toISOString();
}

const STEPS = { "1 minute": "1m", "1 hour": "1h", "1 day": "1d", "30 days": "30d" };

function ClockCard({ state }: { readonly state: StateView }) {
  const now = useNow(state);
  const [amount, setAmount] = useState("90s");
  const [target, setTarget] = useState("");
  const advance = (by: string) => call("POST", "/clock", { advance: by });
  return (
    <section class="card" aria-labelledby="clock">
      <header>
        <h2 id="clock">Clock</h2>
        <Badge tone={state.isRunning ? "good" : "plain"}>{state.isRunning ? "running" : "paused"}</Badge>
      </header>
      <p class="big">
        <time dateTime={now}>{dateOf(now)}</time> <span class="muted">UTC</span>
      </p>
      <p class="muted">Tokens, links, retries, and the rate limit follow this clock. It never goes back.</p>
      <div class="buttons">
        <Action kind="primary" run={() => call("PUT", "/clock", { isRunning: !state.isRunning })}>
          {state.isRunning ? "Pause" : "Resume"}
        </Action>
        {Object.entries(STEPS).map(([label, by]) => (
          <Action key={by} run={() => advance(by)} label={`Advance by ${label}`}>
            + {label}
          </Action>
        ))}
      </div>
      <div class="form">
        <div class="field">
          <label for="advance">Advance by</label>
          <span class="joined">
            <input id="advance" value={amount} onInput={({ currentTarget }) => setAmount(currentTarget.value)} />
            <Action run={() => advance(amount)}>Advance</Action>
          </span>
          <span class="help">For example 90s, 10m, 2h, or 30d.</span>
        </div>
        <div class="field">
          <label for="jump">Jump to (UTC)</label>
          <span class="joined">
            <input
              id="jump"
              type="datetime-local"
              step={1}
              value={target}
              onInput={({ currentTarget }) => setTarget(currentTarget.value)}
            />
            <Action run={() => call("PUT", "/clock", { to: `${target}Z` })} disabled={target === ""}>
              Jump
            </Action>
          </span>
        </div>
      </div>
    </section>
  );
}

function RateLimitCard({ state: { rateLimit } }: { readonly state: StateView }) {
  const { limit, used, resetsAt, windowSeconds } = rateLimit;
  return (
    <section class="card" aria-labelledby="limit">
      <header>
        <h2 id="limit">Rate limit</h2>
        <Badge tone={used >= limit ? "bad" : used >= limit * 0.8 ? "warn" : "good"}>
          {used >= limit ? "reached" : "within"}
        </Badge>
      </header>
      <p class="big">
        {count(limit - used)} <span class="muted">of {count(limit)} requests left</span>
      </p>
      <meter min={0} max={limit} value={used} aria-label="Requests used in this window" />
      <p class="muted">
        {resetsAt === null
          ? `No window is open. The next request starts one of ${windowSeconds} seconds.`
          : `The window of ${windowSeconds} seconds ends at ${dateOf(resetsAt)} UTC.`}
      </p>
      <div class="buttons">
        <Action run={() => call("POST", "/clock", { advance: `${windowSeconds}s` })}>End the window</Action>
        <Action run={readState}>Read again</Action>
      </div>
    </section>
  );
}
