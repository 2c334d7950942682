import type { InspectorCatalog, InspectorState } from "../api.js";
import { count, dateOf, size } from "../format.js";
import { Badge, Code, type Columns, Empty, Head, Table } from "../parts/basics.jsx";
import { FacetFilters, type Facets, hasFacets } from "../parts/facets.jsx";
import { linkTo, type RoutePlace } from "../router.js";
import type { View } from "../store.js";
import { AccountActions, Fire, Secret } from "./record-actions.jsx";

interface KindOptions<Item> {
  /** In words. */
  readonly title: string;
  readonly itemsOf: (state: InspectorState, catalog: InspectorCatalog | undefined) => readonly Item[];
  readonly columns: Columns<Item>;
  /** Facts to choose by. */
  readonly facets?: Facets<Item>;
  /** Shown without records: what they are. */
  readonly about: string;
}

function kind<Item extends { readonly id: string }>(options: KindOptions<Item>) {
  const { title, itemsOf, columns, facets = {}, about } = options;
  return {
    title,
    sizeOf: (state: InspectorState) => itemsOf(state, undefined).length,
    filters: (state: InspectorState, place: RoutePlace) => (
      <FacetFilters facets={facets} items={itemsOf(state, undefined)} place={place} />
    ),
    show: (state: InspectorState, catalog: InspectorCatalog | undefined, place: RoutePlace) => {
      const items = itemsOf(state, catalog);
      const shown = items.filter((item) => hasFacets(item, facets, place));
      if (shown.length > 0) return <Table label={title} items={shown} columns={columns} />;
      if (items.length > 0) return <Empty title="Nothing matches">Change the filters to see more.</Empty>;
      return <Empty title={`No ${title.toLowerCase()}`}>{about}</Empty>;
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
    facets: { User: ({ userId }) => userId, Toolkit: ({ toolkit }) => toolkit, Status: ({ status }) => status },
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
    facets: { Toolkit: ({ toolkit }) => toolkit, Status: ({ status }) => status },
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
    facets: {
      User: ({ userId }) => userId,
      Toolkit: ({ toolkit }) => toolkit,
      Status: ({ isEnabled }) => (isEnabled ? "enabled" : "disabled"),
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
    facets: { User: ({ userId }) => userId },
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
    facets: { "Belongs to": ({ place }) => place },
    about: "Files that tools read or return appear here, and those in a session's mount.",
  }),
};

/** The emulator's records. */
export function State({ view: { state, catalog }, place }: { readonly view: View; readonly place: RoutePlace }) {
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
        {state && KINDS[shown]?.filters(state, place)}
      </Head>
      <div class="scroll">
        {state ? KINDS[shown]?.show(state, catalog, place) : <p class="hint">Reading the state…</p>}
      </div>
    </>
  );
}
