import { useState } from "preact/hooks";
import { call } from "../api.js";
import { dateOf, size } from "../format.js";
import { Action, Badge, CopyButton, Empty } from "../parts/basics.jsx";
import { Code } from "../parts/message.jsx";
import { Table } from "../parts/table.jsx";
import { linkTo } from "../router.js";
import type { StateView } from "../view-types.js";

interface RecordsProps {
  readonly state: StateView;
}

/** Auth configs: how users authenticate with a toolkit. */
export function AuthConfigs({ state: { authConfigs } }: RecordsProps) {
  if (authConfigs.length === 0) {
    return (
      <Empty title="No auth configs">
        <p>An auth config says how users authenticate with a toolkit. Accounts belong to one.</p>
        <Code text={'await svc.authConfigs.create({ toolkit: { slug: "github" } });'} label="Example" />
      </Empty>
    );
  }
  return (
    <Table
      label="Auth configs"
      items={authConfigs}
      keyOf={({ id }) => id}
      columns={{
        "Auth config": ({ id }) => <code>{id}</code>,
        Name: ({ name }) => name,
        Toolkit: ({ toolkit }) => toolkit,
        Scheme: ({ scheme, isManaged }) => `${scheme}${isManaged ? ", managed" : ""}`,
        Status: ({ status }) => <Badge tone={status === "ENABLED" ? "good" : "plain"}>{status}</Badge>,
        Accounts: ({ accounts }) => accounts,
      }}
    />
  );
}

/** Webhook subscriptions. */
export function Subscriptions({ state: { subscriptions } }: RecordsProps) {
  if (subscriptions.length === 0) {
    return (
      <Empty title="No webhook subscriptions">
        <p>Without one, events are emitted and delivered to no one. Create one for your receiver:</p>
        <Code
          text={`await svc.webhookSubscriptions.create({\n  webhook_url: "http://localhost:3000/webhooks",\n  enabled_events: ["svc.trigger.message"],\n});`}
          label="Example"
        />
      </Empty>
    );
  }
  return (
    <Table
      label="Webhook subscriptions"
      items={subscriptions}
      keyOf={({ id }) => id}
      columns={{
        Subscription: ({ id }) => <code>{id}</code>,
        URL: ({ url }) => <code>{url}</code>,
        Format: ({ version }) => version,
        Events: ({ events }) => events.join(", "),
        Secret: ({ id, secret }) => <Secret id={id} masked={secret} />,
      }}
    />
  );
}

/** A signing secret, masked until it's revealed. */
function Secret({ id, masked }: { readonly id: string; readonly masked: string }) {
  const [secret, setSecret] = useState<string>();
  const reveal = async () => {
    // The control plane's document says what it returns.
    const read = (await call("GET", `/subscriptions/${encodeURIComponent(id)}/secret`)) as { secret: string };
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
        <CopyButton label="Copy" text={() => secret} />
      )}
    </span>
  );
}

/** Agent sessions, with a link to their MCP traffic. */
export function Sessions({ state: { sessions } }: RecordsProps) {
  if (sessions.length === 0) {
    return (
      <Empty title="No sessions">
        <p>A session gives an agent one user's tools, over MCP or the API.</p>
        <Code text={'const session = await svc.toolRouter.create({ user_id: "user-4711" });'} label="Example" />
      </Empty>
    );
  }
  return (
    <Table
      label="Sessions"
      items={sessions}
      keyOf={({ id }) => id}
      columns={{
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
      }}
    />
  );
}

/** Files of tools and of sessions. */
export function Files({ state: { files } }: RecordsProps) {
  if (files.length === 0) {
    return (
      <Empty title="No files">
        <p>Files that tools read or return appear here, and those in a session's mount.</p>
        <Code
          text={`await svc.files.upload({\n  toolkit_slug: "github",\n  tool_slug: "GITHUB_CREATE_AN_ISSUE",\n  file,\n});`}
          label="Example"
        />
      </Empty>
    );
  }
  return (
    <Table
      label="Files"
      items={files}
      keyOf={({ id }) => id}
      columns={{
        Name: ({ name }) => name,
        Type: ({ mimetype }) => mimetype,
        Size: ({ bytes }) => (bytes === null ? <span class="muted">not uploaded yet</span> : size(bytes)),
        "Belongs to": ({ place, sessionId }) => (sessionId === null ? place : `${place} of ${sessionId}`),
      }}
    />
  );
}
