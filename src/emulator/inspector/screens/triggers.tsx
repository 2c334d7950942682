import { useState } from "preact/hooks";
import { call } from "../api.js";
import { Badge, Empty } from "../parts/basics.jsx";
import { Code } from "../parts/message.jsx";
import { SchemaForm } from "../parts/schema-form.jsx";
import { Table } from "../parts/table.jsx";
import type { CatalogView, Schema, StateView, TriggerView } from "../view-types.js";

interface TriggersProps {
  readonly state: StateView;
  readonly catalog: CatalogView | undefined;
}

/** Trigger instances, and a form to fire one. */
export function Triggers({ state: { triggers }, catalog }: TriggersProps) {
  const [open, setOpen] = useState<string>();
  if (triggers.length === 0) {
    return (
      <Empty title="No triggers">
        <p>
          A trigger instance watches a connected account, and sends an event when something happens there. Create one:
        </p>
        <Code
          text={`await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {\n  connected_account_id: "ca_github_demo",\n  trigger_config: { owner: "octo-org", repo: "hello-world" },\n});`}
          label="Example"
        />
      </Empty>
    );
  }
  const selected = triggers.find(({ id }) => id === open);
  return (
    <>
      {selected && (
        <Fire
          key={selected.id}
          trigger={selected}
          payload={payloadOf(selected, catalog)}
          onClose={() => setOpen(undefined)}
        />
      )}
      <Table
        label="Trigger instances"
        items={triggers}
        keyOf={({ id }) => id}
        columns={{
          Trigger: ({ id }) => <code>{id}</code>,
          Type: ({ name }) => name,
          Account: ({ accountId }) => <code>{accountId}</code>,
          User: ({ userId }) => userId,
          Status: ({ isEnabled, disabledReason }) => (
            <>
              <Badge tone={isEnabled ? "good" : "plain"}>{isEnabled ? "enabled" : "disabled"}</Badge>{" "}
              {disabledReason && <span class="help">{disabledReason}</span>}
            </>
          ),
          Configuration: ({ config }) => <code>{JSON.stringify(config)}</code>,
          Actions: ({ id, isEnabled }) => (
            <button
              type="button"
              class="small"
              disabled={!isEnabled}
              aria-label={`Fire ${id}`}
              onClick={() => setOpen(id)}
            >
              Fire…
            </button>
          ),
        }}
      />
    </>
  );
}

function payloadOf({ name }: TriggerView, catalog: CatalogView | undefined): Schema {
  const types = catalog?.items.flatMap(({ triggers }) => triggers) ?? [];
  return types.find(({ slug }) => slug === name)?.payload ?? {};
}

interface FireProps {
  readonly trigger: TriggerView;
  readonly payload: Schema;
  readonly onClose: () => void;
}

function Fire({ trigger: { id, name }, payload, onClose }: FireProps) {
  const [fired, setFired] = useState<string>();
  const fire = async (value: unknown) => {
    // The control plane's document says what it returns.
    const event = (await call("POST", `/triggers/${encodeURIComponent(id)}/fire`, value)) as { id: string };
    setFired(event.id);
  };
  return (
    <section class="panel" aria-label={`Fire ${name}`}>
      <header>
        <h2>Fire {name}</h2>
        <button type="button" class="small" onClick={onClose}>
          Close
        </button>
      </header>
      <SchemaForm schema={payload} submit="Fire event" onSubmit={fire} />
      {fired && (
        <p class="done" role="status">
          Emitted <code>{fired}</code>. <a href="#/deliveries">See the deliveries</a>
        </p>
      )}
    </section>
  );
}
