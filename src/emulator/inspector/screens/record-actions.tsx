import { useState } from "preact/hooks";
import { type AccountView, call } from "../api.js";
import { Action, Copy } from "../parts/actions.jsx";
import { Dialog } from "../parts/dialog.jsx";
import { SchemaForm } from "../parts/schema-form.jsx";
import type { FormSchema } from "../schema-values.js";

const CHANGES = { activate: "Activate", decline: "Decline", expire: "Expire", revoke: "Revoke" };

/** Whether an account can change so. */
function canChange(verb: string, { status, linkUrl }: AccountView): boolean {
  if (verb === "decline") return linkUrl !== null;
  if (verb === "expire") return status === "ACTIVE";
  return status !== "REVOKED" && (verb === "revoke" || status !== "ACTIVE");
}

/** Buttons that change an account. */
export function AccountActions({ account }: { readonly account: AccountView }) {
  const { id, linkUrl } = account;
  return (
    <span class="buttons">
      {linkUrl && (
        <a class="button small" href={linkUrl} target="_blank" rel="noreferrer" aria-label={`Open link of ${id}`}>
          Open link
        </a>
      )}
      {Object.entries(CHANGES).map(
        ([verb, label]) =>
          canChange(verb, account) && (
            <Action
              key={verb}
              kind={verb === "revoke" ? "danger" : "small"}
              run={() => call("POST", `/accounts/${encodeURIComponent(id)}/${verb}`)}
              label={`${label} ${id}`}
            >
              {label}
            </Action>
          ),
      )}
    </span>
  );
}

/** A signing secret, masked until it's revealed. */
export function Secret({ id, masked }: { readonly id: string; readonly masked: string }) {
  const [secret, setSecret] = useState<string>();
  const reveal = async () => {
    const read = await call<{ secret: string }>("GET", `/subscriptions/${encodeURIComponent(id)}/secret`);
    setSecret(read.secret);
  };
  return (
    <span class="buttons">
      <code>{secret ?? masked}</code>
      {secret === undefined ? (
        <Action run={reveal} label={`Reveal the secret of ${id}`}>
          Reveal
        </Action>
      ) : (
        <Copy text={() => secret} />
      )}
    </span>
  );
}

interface FireProps {
  readonly id: string;
  readonly name: string;
  /** The form that the emulator made of its schema. */
  readonly payload: FormSchema | undefined;
}

/** A button that opens the form to fire a trigger. */
export function Fire({ id, name, payload = {} }: FireProps) {
  const [isOpen, setOpen] = useState(false);
  const [fired, setFired] = useState<string>();
  const fire = async (value: object) => {
    const event = await call<{ id: string }>("POST", `/triggers/${encodeURIComponent(id)}/fire`, value);
    setFired(event.id);
  };
  return (
    <>
      <button type="button" class="small" aria-label={`Fire ${id}`} onClick={() => setOpen(true)}>
        Fire…
      </button>
      {isOpen && (
        <Dialog title={`Fire ${name}`} onClose={() => setOpen(false)}>
          <SchemaForm schema={payload} submit="Fire event" onSubmit={fire} allowsJson />
          {fired && (
            <p class="done" role="status">
              Emitted <code>{fired}</code>. <a href="#/deliveries">See the deliveries</a>
            </p>
          )}
        </Dialog>
      )}
    </>
  );
}
