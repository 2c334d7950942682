import type { ComponentChildren } from "preact";
import { count } from "../format.js";
import { Head } from "../parts/basics.jsx";
import { linkTo, type Place } from "../router.js";
import type { View } from "../store.js";
import type { StateView } from "../view-types.js";
import { Accounts, Users } from "./accounts.jsx";
import { AuthConfigs, Files, Sessions, Subscriptions } from "./records.jsx";
import { Triggers } from "./triggers.jsx";

interface Tab {
  readonly label: string;
  readonly size: (state: StateView) => number;
  readonly show: (state: StateView, view: View) => ComponentChildren;
}

const TABS: Readonly<Record<string, Tab>> = {
  accounts: { label: "Accounts", size: ({ accounts }) => accounts.length, show: (state) => <Accounts state={state} /> },
  users: {
    label: "Users",
    size: ({ accounts }) => new Set(accounts.map(({ userId }) => userId)).size,
    show: (state) => <Users state={state} />,
  },
  "auth-configs": {
    label: "Auth configs",
    size: ({ authConfigs }) => authConfigs.length,
    show: (state) => <AuthConfigs state={state} />,
  },
  triggers: {
    label: "Triggers",
    size: ({ triggers }) => triggers.length,
    show: (state, view) => <Triggers state={state} catalog={view.catalog} />,
  },
  subscriptions: {
    label: "Subscriptions",
    size: ({ subscriptions }) => subscriptions.length,
    show: (state) => <Subscriptions state={state} />,
  },
  sessions: { label: "Sessions", size: ({ sessions }) => sessions.length, show: (state) => <Sessions state={state} /> },
  files: { label: "Files", size: ({ files }) => files.length, show: (state) => <Files state={state} /> },
};

/** The emulator's records. */
export function State({ view, place }: { readonly view: View; readonly place: Place }) {
  const name = place.item !== undefined && Object.hasOwn(TABS, place.item) ? place.item : "accounts";
  const { state } = view;
  return (
    <>
      <Head title="State">
        <nav class="tabs" aria-label="Kinds of records">
          {Object.entries(TABS).map(([tab, { label, size }]) => (
            <a key={tab} href={linkTo("state", tab)} aria-current={tab === name ? "page" : undefined}>
              {label} {state && <span class="number">{count(size(state))}</span>}
            </a>
          ))}
        </nav>
      </Head>
      <div class="scroll">{state ? TABS[name]?.show(state, view) : <p class="hint">Reading the state…</p>}</div>
    </>
  );
}
