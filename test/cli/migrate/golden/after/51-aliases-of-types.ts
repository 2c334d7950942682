import { Svc as Api, ApiError, Svc } from "svc-sdk";
import { normalizeTrigger, verifyWebhook } from "svc-sdk/webhooks";

export const composio = new Svc({ apiKey: "ak_1" });
type Client = typeof composio;
const open = () => new Api();

export async function nameOf(client: Client, id: string) {
  const created = await client.authConfigs.create({ toolkit: { slug: "slack" } });
  return (await client.connectedAccounts.get(id)).auth_config.id === created.auth_config.id;
}

export const one = (api: ReturnType<typeof open>) => api.tools.enum();
export const other = (api: InstanceType<typeof Api>) => api.toolkits.get("github");

export async function receive(client: Client, request: Request) {
  const event = normalizeTrigger(await verifyWebhook(request, { secret: "secret" }));
  const { id, authConfigId } = { id: event?.connectedAccountId, authConfigId: event?.triggerId };
  return [id, authConfigId, event?.triggerId, event, await client.tools.enum()];
}

export async function wait(client: Client, error: unknown) {
  if (error instanceof ApiError && error.status === 429) {
    // TODO(svc-sdk): an error has body, an object of headers, and retryAfterMs. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
    const seconds = Number(error.headers?.get("retry-after") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }

  return client.toolkits.list();
}
