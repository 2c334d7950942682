import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { call } from "../api.js";
import { Badge, Empty, Head, toneOf } from "../parts/basics.jsx";
import { Code } from "../parts/message.jsx";
import { SchemaForm } from "../parts/schema-form.jsx";
import { Split } from "../parts/split.jsx";
import { VirtualList } from "../parts/virtual-list.jsx";
import { go, linkTo, type Place } from "../router.js";
import type { View } from "../store.js";
import type { ToolkitView, ToolView } from "../view-types.js";

interface Listed {
  readonly toolkit: ToolkitView;
  readonly tool: ToolView;
}

/** Every tool, with a form that runs it. */
export function Tools({ view, place }: { readonly view: View; readonly place: Place }) {
  const search = place.query.get("q") ?? "";
  const all = useMemo(
    () => view.catalog?.items.flatMap((toolkit) => toolkit.tools.map((tool): Listed => ({ toolkit, tool }))) ?? [],
    [view.catalog],
  );
  const items = all.filter(({ tool }) =>
    `${tool.slug} ${tool.name} ${tool.description}`.toLowerCase().includes(search.toLowerCase()),
  );
  const selected = all.find(({ tool }) => tool.slug === place.item);
  const query = { q: search };
  return (
    <>
      <Head title="Tools">
        <search class="bar">
          <input
            type="search"
            class="search"
            aria-label="Search tools"
            placeholder="Search tools (press /)"
            value={search}
            onInput={({ currentTarget }) => go(linkTo("tools", place.item, { q: currentTarget.value }), true)}
          />
        </search>
      </Head>
      <Split
        list={
          items.length > 0 ? (
            <VirtualList
              label="Tools"
              items={items}
              rowHeight={36}
              keyOf={({ tool }) => tool.slug}
              selected={place.item}
              onSelect={({ tool }) => go(linkTo("tools", tool.slug, query), place.item !== undefined)}
            >
              {({ tool }) => (
                <a
                  class="row tool"
                  href={linkTo("tools", tool.slug, query)}
                  aria-current={tool.slug === place.item ? "true" : undefined}
                  tabIndex={-1}
                >
                  <span class="what">
                    <b>{tool.slug}</b> <span class="muted">{tool.description}</span>
                  </span>
                  {tool.isDeprecated && <Badge tone="plain">deprecated</Badge>}
                </a>
              )}
            </VirtualList>
          ) : (
            <Empty title="No tool matches">
              <p>Change the search. Your own toolkits appear here if you pass them to the emulator.</p>
            </Empty>
          )
        }
        detail={selected && <Run key={selected.tool.slug} listed={selected} view={view} />}
        back={linkTo("tools", undefined, query)}
      />
    </>
  );
}

interface Outcome {
  readonly status: number;
  readonly body: unknown;
}

function Run({ listed: { toolkit, tool }, view }: { readonly listed: Listed; readonly view: View }) {
  const own = view.state?.accounts.filter((account) => account.toolkit === toolkit.slug) ?? [];
  // Users with a working account are on top, because the form starts with the first user.
  const ready = own.filter(({ status }) => status === "ACTIVE");
  const users = [...new Set([...ready, ...own].map(({ userId }) => userId))];
  const [user, setUser] = useState(users[0] ?? "user-4711");
  const [version, setVersion] = useState(toolkit.version);
  const [outcome, setOutcome] = useState<Outcome>();
  const result = useRef<HTMLElement>(null);
  useEffect(() => result.current?.scrollIntoView({ block: "nearest" }), [outcome]);
  const run = async (value: unknown) => {
    const sent = { arguments: value, version, ...(user !== "" && { userId: user }) };
    // The control plane's document says what it returns.
    setOutcome((await call("POST", `/tools/${encodeURIComponent(tool.slug)}/execute`, sent)) as Outcome);
  };
  const { successful }: { successful?: unknown } = Object(outcome?.body);
  return (
    <article aria-label={tool.slug}>
      <h2 class="title">
        <span class="path">{tool.slug}</span>
      </h2>
      <p>{tool.description}</p>
      <p class="muted">{toolkit.name}</p>
      <div class="form">
        <label>
          User
          <input list="users" value={user} onInput={({ currentTarget }) => setUser(currentTarget.value)} />
          <datalist id="users">
            {users.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <span class="help">
            {toolkit.needsAccount ? `Needs an account for ${toolkit.slug}.` : "The tool needs no account."}
          </span>
        </label>
        <label>
          Version
          <select value={version} onChange={({ currentTarget }) => setVersion(currentTarget.value)}>
            {toolkit.versions.toReversed().map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <span class="help">The form has the fields of {toolkit.version}.</span>
        </label>
      </div>
      <h3>Arguments</h3>
      <SchemaForm schema={tool.input} submit="Run tool" onSubmit={run} />
      {outcome && (
        <section class="message" aria-label="Result" aria-live="polite" ref={result}>
          <header>
            <h3>Result</h3>
            <Badge tone={successful === false ? "warn" : toneOf(outcome.status)}>
              {outcome.status}
              {successful === false && ", not successful"}
            </Badge>
          </header>
          <Code text={JSON.stringify(outcome.body, null, 2)} label="Result of the tool" />
        </section>
      )}
    </article>
  );
}
