import { Composio, ConnectionRequestTimeoutError } from "@composio/core";

const composio = new Composio();

export async function connect(userId: string) {
  const configs = await composio.authConfigs.list({ toolkit: "github", isComposioManaged: true });
  const [config] = configs.items;
  const request = await composio.connectedAccounts.link(userId, config?.id ?? "", {
    callbackUrl: "https://app.example/connected",
    allowMultiple: true,
  });
  console.log(`Open ${request.redirectUrl}`);
  try {
    const account = await request.waitForConnection(120_000);
    return { id: account.id, createdAt: account.createdAt };
  } catch (error) {
    if (error instanceof ConnectionRequestTimeoutError) return undefined;
    throw error;
  }
}

export async function authorize(userId: string) {
  const { id, redirectUrl } = await composio.toolkits.authorize(userId, "slack");
  console.log(redirectUrl);
  return composio.connectedAccounts.waitForConnection(id, 60_000);
}
