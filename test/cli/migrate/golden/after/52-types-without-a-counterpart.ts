import { Svc, type ListToolsQuery } from "svc-sdk";
// TODO(svc-sdk): svc-sdk has no McpDeleteResponse, ToolkitRetrieveCategoriesResponse. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
import type { McpDeleteResponse, ToolkitRetrieveCategoriesResponse as Categories } from "@composio/client/resources/index.js";
// TODO(svc-sdk): svc-sdk exports other names. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
export * from "svc-sdk";

const composio = new Svc();
export const query: ListToolsQuery = { toolkit_slug: "github" };

export async function categories(): Promise<Categories> {
  return composio.toolkits.categories();
}

export const remove = (id: string): Promise<McpDeleteResponse> => composio.mcp.delete(id);
