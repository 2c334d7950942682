import {
  type ActiveDeliveryFaults,
  type ActiveLogFaults,
  call,
  type FaultRule,
  type InspectorState,
  type OperationView,
} from "../api.js";
import { Action } from "../parts/actions.jsx";
import { Table } from "../parts/basics.jsx";
import { SchemaForm } from "../parts/schema-form.jsx";
import type { FormSchema } from "../schema-values.js";

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
  return (
    <section class="card wide" aria-labelledby="faults">
      <header>
        <h2 id="faults">Faults in responses</h2>
        {faults.length > 0 && <Action run={() => call("DELETE", "/faults")}>Remove all</Action>}
      </header>
      {faults.length === 0 ? (
        <p class="muted">No faults. Add one to see how your code handles it.</p>
      ) : (
        <FaultTable faults={faults} />
      )}
      <details>
        <summary>Add a fault</summary>
        <SchemaForm schema={faultSchema(operations)} submit="Add fault" onSubmit={addFault} />
      </details>
    </section>
  );
}

function FaultTable({ faults }: Pick<InspectorState, "faults">) {
  return (
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
  );
}

/** The fields of the form. All but the number of times are required. */
function faultSchema(operations: FaultsProps["operations"]): FormSchema {
  const properties: Record<string, FormSchema> = {
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
  return { properties, required: Object.keys(properties).filter((name) => name !== "times") };
}

function addFault({ operation, effect, every, times, runsFirst, ...values }: Readonly<Record<string, unknown>>) {
  const connection = Object.keys(CONNECTIONS).find((name) => name === effect);
  const fault = { ...values, connection, when: runsFirst ? "after" : undefined };
  return call("POST", "/faults", { operation, fault, every, times });
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
} satisfies Record<keyof ActiveDeliveryFaults, FormSchema>;

/** Fields of the faults of the execution log. */
const LOG_FAULTS = {
  delayMs: { label: "Delay of entries in milliseconds", type: "integer", minimum: 0 },
  dropPayloads: { label: "Without arguments and results", type: "boolean" },
  dropRequestIds: { label: "Without request ids", type: "boolean" },
} satisfies Record<keyof ActiveLogFaults, FormSchema>;

/** Faults of webhook deliveries. */
export function DeliveryFaults({ faults }: { readonly faults: ActiveDeliveryFaults }) {
  return (
    <SharedFaults
      title="Faults in deliveries"
      about="Receivers must accept duplicates, late and reordered deliveries, and reject wrong signatures."
      schemas={DELIVERY_FAULTS}
      values={{ ...faults }}
      harmless={{ copies: 1 }}
      path="/deliveries/faults"
    />
  );
}

/** Faults of the execution log. */
export function LogFaults({ faults }: { readonly faults: ActiveLogFaults }) {
  return (
    <SharedFaults
      title="Faults in the execution log"
      about="Programs that look up what a lost call did must accept late and incomplete entries."
      schemas={LOG_FAULTS}
      values={{ ...faults }}
      path="/logs/faults"
    />
  );
}

interface SharedFaultsProps {
  readonly title: string;
  readonly about: string;
  readonly schemas: Readonly<Record<string, FormSchema>>;
  /** The faults that apply now. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Values without an effect, other than zero and false. */
  readonly harmless?: Readonly<Record<string, unknown>>;
  /** Of the control plane. */
  readonly path: string;
}

/** Faults that apply all at once: those that do, and a form that replaces them. */
function SharedFaults({ title, about, schemas, values, harmless = {}, path }: SharedFaultsProps) {
  const active = Object.entries(values).filter(([name, value]) => value && value !== harmless[name]);
  const properties = Object.entries(schemas).map(([name, schema]) => [name, { ...schema, default: values[name] }]);
  const words = active.map(([name, value]) =>
    value === true ? schemas[name]?.label : `${schemas[name]?.label}: ${value}`,
  );
  return (
    <section class="card wide" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {active.length > 0 && <Action run={() => call("DELETE", path)}>Remove all</Action>}
      </header>
      <p class={active.length > 0 ? undefined : "muted"}>{active.length > 0 ? words.join(", ") : about}</p>
      <details>
        <summary>{active.length > 0 ? "Change" : "Add"}</summary>
        <SchemaForm
          schema={{ properties: Object.fromEntries(properties), required: Object.keys(schemas) }}
          submit="Apply"
          onSubmit={(given) => call("POST", path, given)}
        />
      </details>
    </section>
  );
}
