// Connects a user's GitHub account.
import { parseConnectCallback, type Svc } from "svc-sdk";
import { onConnected } from "./on-connected.ts";

/**
 * A placeholder for your sign-in: everyone is this user. Take the user from your session, never from a form or a URL.
 */
export const user = "ada";

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
  await onConnected(svc, account.id);
  return true;
}
