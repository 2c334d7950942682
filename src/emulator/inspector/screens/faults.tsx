import { useState } from "preact/hooks";
import { call } from "../api.js";
import { Action } from "../parts/basics.jsx";
import { Table } from "../parts/table.jsx";
import type { FaultRule, OperationView, StateView } from "../view-types.js";

interface FaultsProps {
  readonly state: StateView;
  readonly operations: readonly OperationView[];
}

/** Faults of responses: those that apply, and a form for another. */
export function Faults({ state: { faults }, operations }: FaultsProps) {
  return (
    <section class="card wide" aria-labelledby="faults">
      <header>
        <h2 id="faults">Faults in responses</h2>
        {faults.length > 0 && <Action run={() => call("DELETE", "/faults")}>Remove all</Action>}
      </header>
      {faults.length === 0 ? (
        <p class="muted">None. Add one to see how your code takes it.</p>
      ) : (
        <Table
          label="Injected faults"
          items={faults}
          keyOf={({ id }) => String(id)}
          columns={{
            Operation: ({ operation }) => <code>{operation === "*" ? "all" : operation}</code>,
            Fault: ({ fault }) => effectOf(fault),
            Applies: ({ every, remaining, matched }) =>
              `${every === 1 ? "to each request" : `to every ${every}th`}${remaining === null ? "" : `, ${remaining} left`} (${matched} received)`,
            Actions: ({ id }) => (
              <Action run={() => call("DELETE", `/faults/${id}`)} label={`Remove fault ${id}`}>
                Remove
              </Action>
            ),
          }}
        />
      )}
      <AddFault operations={operations} />
    </section>
  );
}

function effectOf({ status, connection, delayMs, when, retryAfterSeconds }: FaultRule["fault"]): string {
  return [
    status !== undefined && `status ${status}`,
    connection !== undefined && `connection: ${connection}`,
    delayMs !== undefined && `delay of ${delayMs} ms`,
    retryAfterSeconds !== undefined && `Retry-After ${retryAfterSeconds} s`,
    when === "after" && "after running the operation",
  ]
    .filter(Boolean)
    .join(", ");
}

/** A fault's effect, as the form offers it. */
const EFFECTS = {
  "Respond with a status": "status",
  "Delay the response": "delay",
  "Never respond": "hang",
  "Reset the connection": "reset",
  "Cut the response in half": "truncate",
} as const;

function AddFault({ operations }: { readonly operations: readonly OperationView[] }) {
  const [operation, setOperation] = useState("*");
  const [effect, setEffect] = useState<string>("status");
  const [status, setStatus] = useState("503");
  const [delay, setDelay] = useState("2000");
  const [times, setTimes] = useState("1");
  const [every, setEvery] = useState("1");
  const [runs, setRuns] = useState(false);
  const add = () => {
    const what =
      effect === "status"
        ? { status: Number(status) }
        : effect === "delay"
          ? { delayMs: Number(delay) }
          : { connection: effect };
    const fault = { ...what, ...(runs && { when: "after" }) };
    return call("POST", "/faults", {
      operation,
      fault,
      every: Number(every),
      ...(times !== "" && { times: Number(times) }),
    });
  };
  return (
    <div class="form">
      <label>
        Operation
        <select value={operation} onChange={({ currentTarget }) => setOperation(currentTarget.value)}>
          <option value="*">all operations</option>
          {operations.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        Effect
        <select value={effect} onChange={({ currentTarget }) => setEffect(currentTarget.value)}>
          {Object.entries(EFFECTS).map(([label, value]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {effect === "status" && (
        <label>
          Status
          <input
            type="number"
            min={200}
            max={599}
            value={status}
            onInput={({ currentTarget }) => setStatus(currentTarget.value)}
          />
        </label>
      )}
      {effect === "delay" && (
        <label>
          Delay in milliseconds
          <input type="number" min={0} value={delay} onInput={({ currentTarget }) => setDelay(currentTarget.value)} />
        </label>
      )}
      <label>
        Every nth request
        <input type="number" min={1} value={every} onInput={({ currentTarget }) => setEvery(currentTarget.value)} />
      </label>
      <label>
        How many times
        <input
          type="number"
          min={1}
          value={times}
          placeholder="unlimited"
          onInput={({ currentTarget }) => setTimes(currentTarget.value)}
        />
      </label>
      {effect !== "delay" && (
        <label class="check">
          <input type="checkbox" checked={runs} onChange={({ currentTarget }) => setRuns(currentTarget.checked)} />
          Run the operation first
        </label>
      )}
      <div class="wide">
        <Action kind="primary" run={add}>
          Add fault
        </Action>
      </div>
    </div>
  );
}
