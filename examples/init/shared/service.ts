// Everything this app does with the service, for one of its users.
import { needsConnection, parseConnectCallback, type Svc } from "svc-sdk";

/**
 * A placeholder for your sign-in: everyone is this user. Take the user from your session, never from a form or a URL.
 */
const user = "ada";

const repository = { owner: "octo-org", repo: "hello-world" };

export async function isConnected(svc: Svc): Promise<boolean> {
  const active = await svc.connectedAccounts.list({
    user_ids: [user],
    toolkit_slugs: ["github"],
    statuses: ["ACTIVE"],
    limit: 1,
  });
  return active.items.length > 0;
}

/** The URL of a page where the user connects a GitHub account, the first time or again. */
export async function connectUrl(svc: Svc, appUrl: string): Promise<string> {
  const { id } = await svc.authConfigs.ensure({ toolkit: { slug: "github" } });
  const callback_url = `${appUrl}/connected`;
  const link = await svc.connectedAccounts.link({ auth_config_id: id, user_id: user, callback_url });
  return link.redirect_url;
}

/** Handles the user's return from that page. False if this user didn't connect an account. */
export async function finishConnecting(svc: Svc, url: string): Promise<boolean> {
  const callback = parseConnectCallback(url);
  if (callback.kind !== "success") return false;
  // Anyone can write this URL, so ask the service whose account it is.
  const account = await svc.connectedAccounts.get(callback.connectedAccountId);
  if (account.user_id !== user) return false;
  await svc.connectedAccounts.waitUntilActive(account.id, { deadlineMs: 20_000 });
  // From now on, commits arrive at receiver.ts.
  await svc.triggers.upsert("GITHUB_COMMIT_EVENT", { connected_account_id: account.id, trigger_config: repository });
  return true;
}

/**
 * Executes a tool: opens an issue. Returns what to tell the user, or undefined if an account must be connected first.
 */
export async function openIssue(svc: Svc): Promise<string | undefined> {
  try {
    const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
      user_id: user,
      version: "20251023_00", // Pinned, so that the tool can't change under you.
      arguments: { ...repository, title: "Hello from my app" },
    });
    return run.successful ? `Opened ${run.data["html_url"]}` : `GitHub refused: ${run.error}`;
  } catch (error) {
    if (needsConnection(error)) return undefined;
    throw error;
  }
}

/** Subscribes this app to events. */
export async function subscribe(svc: Svc, appUrl: string): Promise<{ id: string; secret: string }> {
  return svc.webhookSubscriptions.ensure({
    webhook_url: `${appUrl}/webhooks`,
    enabled_events: ["svc.trigger.message", "svc.connected_account.expired"],
  });
}
