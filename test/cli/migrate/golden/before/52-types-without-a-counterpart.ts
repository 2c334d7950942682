import Composio from "@composio/client";
import type { McpDeleteResponse, ToolListParams, ToolkitRetrieveCategoriesResponse as Categories } from "@composio/client/resources/index.js";
export * from "@composio/client/resources/index.js";

const composio = new Composio();
export const query: ToolListParams = { toolkit_slug: "github" };

export async function categories(): Promise<Categories> {
  return composio.toolkits.retrieveCategories();
}

export const remove = (id: string): Promise<McpDeleteResponse> => composio.mcp.delete(id);
