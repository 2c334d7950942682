import { Composio, type ToolListParams } from "@composio/core";

const composio = new Composio();
const client = composio.getClient();

const page = await client.toolkits.retrieveCategories();
console.log(page.items.length);
console.log(await composio.getClient().tools.retrieveEnum());

export async function find(query: string | { category: string }) {
  await composio.toolkits.get("github");
  await composio.toolkits.get({ category: "developer-tools" });
  await composio.toolkits.get();
  await composio.toolkits.get(query as never);
  return composio.toolkits.listCategories();
}

export const params: ToolListParams = { toolkits: ["github"] };
