import Composio from "@composio/client";

const composio = new Composio();

/** Sends a user to the provider. */
export async function connect(userId: string, authConfigId: string) {
  const link = await composio.link.create({
    auth_config_id: authConfigId,
    user_id: userId,
    callback_url: "https://app.example/connected",
  });
  return link.redirect_url;
}

export async function rename(id: string, alias: string) {
  const account = await composio.connectedAccounts.retrieve(id);
  if (account.status !== "ACTIVE") await composio.connectedAccounts.updateStatus(id, { enabled: true });
  await composio.connectedAccounts.patch(id, { alias });
  await composio.connectedAccounts.updateStatus(id, { enabled: false });
  await composio.connectedAccounts.revoke(id);
}
