import { Svc } from "svc-sdk";

const composio = new Svc();

/** Sends a user to the provider. */
export async function connect(userId: string, authConfigId: string) {
  const link = await composio.connectedAccounts.link({
    auth_config_id: authConfigId,
    user_id: userId,
    callback_url: "https://app.example/connected",
  });
  return link.redirect_url;
}

export async function rename(id: string, alias: string) {
  const account = await composio.connectedAccounts.get(id);
  if (account.status !== "ACTIVE") await composio.connectedAccounts.enable(id);
  await composio.connectedAccounts.update(id, { alias });
  await composio.connectedAccounts.disable(id);
  await composio.connectedAccounts.revoke(id);
}
