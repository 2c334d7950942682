import { Svc, TimeoutError } from "svc-sdk";

const composio = new Svc();

export async function connect(userId: string) {
  const configs = await composio.authConfigs.list({ toolkit_slug: "github", is_svc_managed: true });
  const [config] = configs.items;
  const request = await composio.connectedAccounts.link({
    user_id: userId,
    auth_config_id: config?.id ?? "",
    callback_url: "https://app.example/connected",
  });
  console.log(`Open ${request.redirect_url}`);
  try {
    const account = await composio.connectedAccounts.waitUntilActive(request.connected_account_id, { deadlineMs: 120_000 });
    return { id: account.id, createdAt: account.created_at };
  } catch (error) {
    if (error instanceof TimeoutError) return undefined;
    throw error;
  }
}

export async function authorize(userId: string) {
  const { connected_account_id: id, redirect_url: redirectUrl } = await composio.connectedAccounts.link({ user_id: userId, auth_config_id: (await composio.authConfigs.ensure({ toolkit: { slug: "slack" } })).id });
  console.log(redirectUrl);
  return composio.connectedAccounts.waitUntilActive(id, { deadlineMs: 60_000 });
}
