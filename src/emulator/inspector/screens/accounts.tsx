import { call } from "../api.js";
import { dateOf } from "../format.js";
import { Action, Badge, Empty, type Tone } from "../parts/basics.jsx";
import { Code } from "../parts/message.jsx";
import { Table } from "../parts/table.jsx";
import { linkTo } from "../router.js";
import type { AccountView, StateView } from "../view-types.js";

const TONES: Readonly<Record<string, Tone>> = {
  ACTIVE: "good",
  EXPIRED: "warn",
  FAILED: "bad",
  REVOKED: "bad",
  INITIATED: "info",
  INITIALIZING: "info",
};

/** A connected account's status. */
function AccountStatus({ status }: { readonly status: string }) {
  return <Badge tone={TONES[status] ?? "plain"}>{status}</Badge>;
}

/** Connected accounts, with what can happen to them. */
export function Accounts({ state: { accounts } }: { readonly state: StateView }) {
  if (accounts.length === 0) {
    return (
      <Empty title="No connected accounts">
        <p>An account connects a user to a toolkit. Start one, and open its link here or in your app:</p>
        <Code
          text={`const { redirect_url } = await svc.connectedAccounts.link({\n  auth_config_id: "ac_github_demo",\n  user_id: "ada",\n});`}
          label="Example"
        />
      </Empty>
    );
  }
  return (
    <Table
      label="Connected accounts"
      items={accounts}
      keyOf={({ id }) => id}
      columns={{
        Account: ({ id }) => <code>{id}</code>,
        User: ({ userId }) => userId,
        Toolkit: ({ toolkit, authConfigId }) => (
          <>
            {toolkit} <span class="help">{authConfigId}</span>
          </>
        ),
        Status: ({ status, reason }) => (
          <>
            <AccountStatus status={status} /> {reason && <span class="help">{reason}</span>}
          </>
        ),
        Changed: ({ updatedAt }) => dateOf(updatedAt),
        Actions: (account) => <Actions account={account} />,
      }}
    />
  );
}

function Actions({ account: { id, status, linkUrl } }: { readonly account: AccountView }) {
  const change = (verb: string) => call("POST", `/accounts/${encodeURIComponent(id)}/${verb}`);
  return (
    <span class="buttons">
      {linkUrl && (
        <a class="button small" href={linkUrl} target="_blank" rel="noreferrer" aria-label={`Open link of ${id}`}>
          Open link
        </a>
      )}
      {status !== "ACTIVE" && status !== "REVOKED" && (
        <Action run={() => change("activate")} label={`Activate ${id}`}>
          Activate
        </Action>
      )}
      {status === "ACTIVE" && (
        <Action run={() => change("expire")} label={`Expire ${id}`}>
          Expire
        </Action>
      )}
      {status !== "REVOKED" && (
        <Action kind="danger" run={() => change("revoke")} label={`Revoke ${id}`}>
          Revoke
        </Action>
      )}
    </span>
  );
}

/** The users that have accounts. */
export function Users({ state: { accounts } }: { readonly state: StateView }) {
  const byUser = new Map<string, AccountView[]>();
  for (const account of accounts) byUser.set(account.userId, [...(byUser.get(account.userId) ?? []), account]);
  if (byUser.size === 0) {
    return (
      <Empty title="No users">
        <p>A user exists as soon as an account or a session names it. The service has no list of users of its own.</p>
      </Empty>
    );
  }
  return (
    <Table
      label="Users"
      items={[...byUser]}
      keyOf={([userId]) => userId}
      columns={{
        User: ([userId]) => userId,
        Accounts: ([, own]) => (
          <ul class="inline">
            {own.map(({ id, toolkit, status }) => (
              <li key={id}>
                {toolkit} <AccountStatus status={status} />
              </li>
            ))}
          </ul>
        ),
        Requests: ([userId]) => <a href={linkTo("log", undefined, { q: userId })}>In the log</a>,
      }}
    />
  );
}
