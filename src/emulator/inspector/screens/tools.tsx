import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { call, type ToolkitView } from "../api.js";
import { Badge, Detail, Empty } from "../parts/basics.jsx";
import { ListScreen } from "../parts/list-screen.jsx";
import { Block } from "../parts/message.jsx";
import { Field, SchemaForm } from "../parts/schema-form.jsx";
import type { RoutePlace } from "../router.js";
import type { FormSchema } from "../schema-values.js";
import type { View } from "../store.js";

interface Listed {
  readonly toolkit: ToolkitView;
  readonly tool: ToolkitView["tools"][number];
}

/** Every tool, with a form that runs it. */
export function Tools({ view, place }: { readonly view: View; readonly place: RoutePlace }) {
  const items = useMemo(
    () => view.catalog?.items.flatMap((toolkit) => toolkit.tools.map((tool): Listed => ({ toolkit, tool }))) ?? [],
    [view.catalog],
  );
  return (
    <ListScreen
      title="Tools"
      place={place}
      items={items}
      keyOf={({ tool }) => tool.slug}
      textOf={({ tool: { slug, name, description } }) => `${slug} ${name} ${description}`}
      searched="tools"
      facets={{ Toolkit: ({ toolkit }) => toolkit.slug }}
      rowOf={({ tool: { slug, description, isDeprecated } }) => (
        <>
          <span class="what">
            <b>{slug}</b> <span class="muted">{description}</span>
          </span>
          {isDeprecated && <Badge value="deprecated" />}
        </>
      )}
      detailOf={(listed) => <Run key={listed.tool.slug} listed={listed} view={view} />}
      empty={<Empty title="No tools">Your own toolkits appear here if you pass them to the emulator.</Empty>}
    />
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
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => result.current?.scrollIntoView({ block: "nearest" }), [outcome]);
  const run = async (value: object) => {
    const path = `/api/v3.1/tools/execute/${encodeURIComponent(tool.slug)}`;
    const body = JSON.stringify({ arguments: value, version, ...(user !== "" && { user_id: user }) });
    setOutcome(await call<Outcome>("POST", "/replay", { method: "POST", path, body }));
  };
  const input = tool.input as FormSchema; // The emulator made a form of it.
  const { successful }: { successful?: unknown } = Object(outcome?.body);
  const forUser = {
    ...{ label: "User", type: "string", examples: users },
    description: toolkit.needsAccount ? `Needs an account for ${toolkit.slug}.` : "The tool needs no account.",
  };
  const ofVersion = {
    ...{ label: "Version", enum: toolkit.versions.toReversed() },
    description: `The form has the fields of ${toolkit.version}.`,
  };
  return (
    <Detail title={tool.slug}>
      <p>{tool.description}</p>
      <p class="muted">{toolkit.name}</p>
      <div class="form">
        <Field name="user" schema={forUser} text={user} onChange={setUser} />
        <Field name="version" schema={ofVersion} isRequired text={version} onChange={setVersion} />
      </div>
      <h3>Arguments</h3>
      <SchemaForm schema={input} submit="Run tool" onSubmit={run} allowsJson />
      {outcome && (
        <div aria-live="polite" ref={result}>
          <Block
            title="Result"
            text={JSON.stringify(outcome.body, null, 2)}
            note={
              successful === false ? (
                <Badge value={`${outcome.status}, not successful`} tone="warn" />
              ) : (
                <Badge value={outcome.status} />
              )
            }
          />
        </div>
      )}
    </Detail>
  );
}
