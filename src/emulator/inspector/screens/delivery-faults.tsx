import { useState } from "preact/hooks";
import { call } from "../api.js";
import { Action } from "../parts/basics.jsx";
import type { DeliveryFaultsView } from "../view-types.js";

/** Faults of webhook deliveries. */
export function DeliveryFaults({ faults }: { readonly faults: DeliveryFaultsView }) {
  const [values, setValues] = useState(faults);
  const set = (change: Partial<DeliveryFaultsView>) => setValues({ ...values, ...change });
  const number = (name: "copies" | "delayMs" | "skewSeconds", label: string, least?: number) => (
    <label>
      {label}
      <input
        type="number"
        min={least}
        value={values[name]}
        onInput={({ currentTarget }) => set({ [name]: Number(currentTarget.value) })}
      />
    </label>
  );
  const check = (name: "reorder" | "wrongSecret", label: string) => (
    <label class="check">
      <input
        type="checkbox"
        checked={values[name]}
        onChange={({ currentTarget }) => set({ [name]: currentTarget.checked })}
      />
      {label}
    </label>
  );
  return (
    <section class="card wide" aria-labelledby="delivery-faults">
      <header>
        <h2 id="delivery-faults">Faults in deliveries</h2>
        <Action run={() => call("DELETE", "/deliveries/faults")}>Remove all</Action>
      </header>
      <p class="muted">Receivers must accept duplicates, late and reordered deliveries, and reject wrong signatures.</p>
      <div class="form">
        {number("copies", "Copies of each delivery", 1)}
        {number("delayMs", "Delay in milliseconds", 0)}
        {number("skewSeconds", "Clock skew in seconds")}
        {check("reorder", "Newest first")}
        {check("wrongSecret", "Sign with a wrong secret")}
        <div class="wide">
          <Action kind="primary" run={() => call("POST", "/deliveries/faults", values)}>
            Apply
          </Action>
        </div>
      </div>
    </section>
  );
}
