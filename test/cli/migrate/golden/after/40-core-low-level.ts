import { Svc } from "svc-sdk";
// TODO(svc-sdk): svc-sdk has no ToolListParams. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
import { type ToolListParams } from "@composio/core";

const composio = new Svc();
const client = composio;

const page = await client.toolkits.categories();
console.log(page.items.length);
console.log(await composio.tools.enum());

export async function find(query: string | { category: string }) {
  await composio.toolkits.get("github");
  await composio.toolkits.list({ category: "developer-tools" });
  await composio.toolkits.list();
  // TODO(svc-sdk): call svc.toolkits.get with a slug, or svc.toolkits.list with a query. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
  await composio.toolkits.get(query as never);
  return composio.toolkits.categories();
}

export const params: ToolListParams = { toolkits: ["github"] };
