import Api, { APIError } from "@composio/client";
import { Composio } from "@composio/core";

export const composio = new Composio({ apiKey: "ak_1" });
type Client = typeof composio;
const open = () => new Api();

export async function nameOf(client: Client, id: string) {
  const created = await client.authConfigs.create("slack");
  return (await client.connectedAccounts.get(id)).authConfig.id === created.id;
}

export const one = (api: ReturnType<typeof open>) => api.tools.retrieveEnum();
export const other = (api: InstanceType<typeof Api>) => api.toolkits.retrieve("github");

export async function receive(client: Client, request: Request) {
  const event = await client.triggers.parse(request, { verifySecret: "secret" });
  const { id, authConfigId } = { id: event.payload.metadata.connectedAccount.id, authConfigId: event.payload.metadata.id };
  return [id, authConfigId, event.payload.id, event, await client.tools.getToolsEnum()];
}

export async function wait(client: Client, error: unknown) {
  if (error instanceof APIError && error.status === 429) {
    const seconds = Number(error.headers?.get("retry-after") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }

  return client.toolkits.get();
}
