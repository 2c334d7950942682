import type { InspectorCatalog, InspectorState } from "../api.js";
import { count, dateOf, size } from "../format.js";
import { Badge, Code, type Columns, Empty, Head, Table } from "../parts/basics.jsx";
import { linkTo, type Place } from "../router.js";
import type { View } from "../store.js";
import { AccountActions, Fire, Secret } from "./record-actions.jsx";

interface KindOptions<Item> {
  /** In words. */
  readonly title: string;
  readonly itemsOf: (state: InspectorState, catalog: InspectorCatalog | undefined) => readonly Item[];
  readonly columns: Columns<Item>;
  /** Shown without records: what they are. */
  readonly about: string;
}

function kind<Item extends { readonly id: string }>({ title, itemsOf, columns, about }: KindOptions<Item>) {
  return {
    title,
    sizeOf: (state: InspectorState) => itemsOf(state, undefined).length,
    show: (state: InspectorState, catalog: InspectorCatalog | undefined) => {
      const items = itemsOf(state, catalog);
      return items.length > 0 ? (
        <Table label={title} items={items} columns={columns} />
      ) : (
        <Empty title={`No ${title.toLowerCase()}`}>{about}</Empty>
      );
    },
  };
}

const KINDS: Readonly<Record<string, ReturnType<typeof kind>>> = {
  accounts: kind({
    title: "Accounts",
    itemsOf: ({ accounts }) => accounts,
    columns: {
      Account: ({ id }) => <code>{id}</code>,
      User: ({ userId }) => <a href={linkTo("log", undefined, { q: userId })}>{userId}</a>,
      Toolkit: ({ toolkit, authConfigId }) => (
        <>
          {toolkit} <span class="help">{authConfigId}</span>
        </>
      ),
      Status: ({ status, reason }) => (
        <>
          <Badge value={status} /> {reason && <span class="help">{reason}</span>}
        </>
      ),
      Changed: ({ updatedAt }) => dateOf(updatedAt),
      Actions: (account) => <AccountActions account={account} />,
    },
    about: "An account connects a user to a toolkit. Start one, and open its link here or in your app.",
  }),
  "auth-configs": kind({
    title: "Auth configs",
    itemsOf: ({ authConfigs }) => authConfigs,
    columns: {
      "Auth config": ({ id }) => <code>{id}</code>,
      Name: ({ name }) => name,
      Toolkit: ({ toolkit }) => toolkit,
      Scheme: ({ scheme, isManaged }) => `${scheme}${isManaged ? ", managed" : ""}`,
      Status: ({ status }) => <Badge value={status} />,
      Accounts: ({ accounts }) => accounts,
    },
    about: "An auth config says how users authenticate with a toolkit. Accounts belong to one.",
  }),
  triggers: kind({
    title: "Triggers",
    itemsOf: ({ triggers }, catalog) => {
      const types = catalog?.items.flatMap((toolkit) => toolkit.triggers) ?? [];
      return triggers.map((trigger) => ({ ...trigger, type: types.find(({ slug }) => slug === trigger.name) }));
    },
    columns: {
      Trigger: ({ id }) => <code>{id}</code>,
      Type: ({ name }) => name,
      Account: ({ accountId }) => <code>{accountId}</code>,
      User: ({ userId }) => userId,
      Status: ({ isEnabled, disabledReason }) => (
        <>
          <Badge value={isEnabled ? "enabled" : "disabled"} />{" "}
          {disabledReason && <span class="help">{disabledReason}</span>}
        </>
      ),
      Configuration: ({ config }) => <code>{JSON.stringify(config)}</code>,
      Actions: ({ id, name, type, isEnabled }) => isEnabled && <Fire id={id} name={name} payload={type?.payload} />,
    },
    about: "A trigger instance watches a connected account, and sends an event when something happens there.",
  }),
  subscriptions: kind({
    title: "Subscriptions",
    itemsOf: ({ subscriptions }) => subscriptions,
    columns: {
      Subscription: ({ id }) => <code>{id}</code>,
      URL: ({ url }) => <code>{url}</code>,
      Format: ({ version }) => version,
      Events: ({ events }) => events.join(", "),
      Secret: ({ id, secret }) => <Secret id={id} masked={secret} />,
    },
    about: "Without one, events are emitted and delivered to no one. Create one for your receiver.",
  }),
  sessions: kind({
    title: "Sessions",
    itemsOf: ({ sessions }) => sessions,
    columns: {
      Session: ({ id }) => <code>{id}</code>,
      User: ({ userId }) => userId,
      Created: ({ createdAt }) => dateOf(createdAt),
      Configuration: ({ id, config }) => (
        <details>
          <summary>Show</summary>
          <Code text={JSON.stringify(config, null, 2)} label={`Configuration of ${id}`} />
        </details>
      ),
      Traffic: ({ id }) => (
        <span class="buttons">
          <a href={linkTo("log", undefined, { q: `${id}/mcp` })}>MCP</a>
          <a href={linkTo("log", undefined, { q: id })}>All</a>
        </span>
      ),
    },
    about: "A session gives an agent one user's tools, over MCP or the API.",
  }),
  files: kind({
    title: "Files",
    itemsOf: ({ files }) => files,
    columns: {
      Name: ({ name }) => name,
      Type: ({ mimetype }) => mimetype,
      Size: ({ bytes }) => (bytes === null ? <span class="muted">not uploaded yet</span> : size(bytes)),
      "Belongs to": ({ place, sessionId }) => (sessionId === null ? place : `${place} of ${sessionId}`),
    },
    about: "Files that tools read or return appear here, and those in a session's mount.",
  }),
};

/** The emulator's records. */
export function State({ view: { state, catalog }, place }: { readonly view: View; readonly place: Place }) {
  const shown = place.item !== undefined && Object.hasOwn(KINDS, place.item) ? place.item : "accounts";
  return (
    <>
      <Head title="State">
        <nav class="tabs" aria-label="Kinds of records">
          {Object.entries(KINDS).map(([name, { title, sizeOf }]) => (
            <a key={name} href={linkTo("state", name)} aria-current={name === shown ? "page" : undefined}>
              {title} {state && <span class="tally">{count(sizeOf(state))}</span>}
            </a>
          ))}
        </nav>
      </Head>
      <div class="scroll">{state ? KINDS[shown]?.show(state, catalog) : <p class="hint">Reading the state…</p>}</div>
    </>
  );
}
