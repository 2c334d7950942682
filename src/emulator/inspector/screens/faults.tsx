import { type ActiveDeliveryFaults, call, type FaultRule, type InspectorState, type OperationView } from "../api.js";
import { Action } from "../parts/actions.jsx";
import { Table } from "../parts/basics.jsx";
import { SchemaForm } from "../parts/schema-form.jsx";
import type { Schema } from "../schema-values.js";

type Fault = FaultRule["fault"];

/** How a connection can break. */
const CONNECTIONS: Readonly<Record<NonNullable<Fault["connection"]>, string>> = {
  hang: "Never respond",
  reset: "Reset the connection",
  truncate: "Cut the response in half",
};

/** A fault's effect, as the form offers it. */
const EFFECTS = { status: "Respond with a status", delay: "Delay the response", ...CONNECTIONS };

interface FaultsProps {
  readonly state: InspectorState;
  readonly operations: readonly OperationView[];
}

/** Faults of responses: those that apply, and a form for another. */
export function Faults({ state: { faults }, operations }: FaultsProps) {
  const properties: Record<string, Schema> = {
    operation: {
      label: "Operation",
      enum: ["*", ...operations.map(({ name }) => name)],
      labels: { "*": "all operations" },
    },
    effect: { label: "Effect", enum: Object.keys(EFFECTS), labels: EFFECTS },
    status: {
      label: "Status",
      type: "integer",
      minimum: 200,
      maximum: 599,
      default: 503,
      when: ["effect", ["status"]],
    },
    delayMs: {
      ...{ label: "Delay in milliseconds", type: "integer", minimum: 0, default: 2_000 },
      when: ["effect", ["delay"]],
    },
    every: { label: "Every nth request", type: "integer", minimum: 1, default: 1 },
    runsFirst: {
      ...{ label: "Run the operation first", type: "boolean" },
      when: ["effect", ["status", ...Object.keys(CONNECTIONS)]],
    },
    times: { label: "How many times (empty: unlimited)", type: "integer", minimum: 1, default: 1 },
  };
  const required = Object.keys(properties).filter((name) => name !== "times");
  const add = ({ operation, effect, every, times, runsFirst, ...values }: Readonly<Record<string, unknown>>) => {
    const connection = Object.keys(CONNECTIONS).find((name) => name === effect);
    const fault = { ...values, connection, when: runsFirst ? "after" : undefined };
    return call("POST", "/faults", { operation, fault, every, times });
  };
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
      <SchemaForm schema={{ properties, required }} submit="Add fault" onSubmit={add} />
    </section>
  );
}

function effectOf({ status, connection, delayMs, when, retryAfterSeconds }: Fault): string {
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

/** Fields of the faults of deliveries, which a delivery that is sent again can have too. */
export const DELIVERY_FAULTS = {
  copies: { label: "Copies of each delivery", type: "integer", minimum: 1, maximum: 100 },
  delayMs: { label: "Delay in milliseconds", type: "integer", minimum: 0 },
  skewSeconds: { label: "Clock skew in seconds", type: "integer" },
  reorder: { label: "Newest first", type: "boolean" },
  wrongSecret: { label: "Sign with a wrong secret", type: "boolean" },
} satisfies Record<keyof ActiveDeliveryFaults, Schema>;

/** Faults of webhook deliveries. */
export function DeliveryFaults({ faults }: { readonly faults: ActiveDeliveryFaults }) {
  const properties = Object.entries(DELIVERY_FAULTS).map(([name, schema]) => [
    name,
    { ...schema, default: faults[name as keyof ActiveDeliveryFaults] }, // A key of that record.
  ]);
  return (
    <section class="card wide" aria-labelledby="delivery-faults">
      <header>
        <h2 id="delivery-faults">Faults in deliveries</h2>
        <Action run={() => call("DELETE", "/deliveries/faults")}>Remove all</Action>
      </header>
      <p class="muted">Receivers must accept duplicates, late and reordered deliveries, and reject wrong signatures.</p>
      <SchemaForm
        schema={{ properties: Object.fromEntries(properties), required: Object.keys(DELIVERY_FAULTS) }}
        submit="Apply"
        onSubmit={(values) => call("POST", "/deliveries/faults", values)}
      />
    </section>
  );
}
