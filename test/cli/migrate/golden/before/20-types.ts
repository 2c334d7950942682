import type Composio from "@composio/client";
import type {
  ConnectedAccountListParams,
  ConnectedAccountRetrieveResponse,
  ToolExecuteParams,
  ToolListResponse,
} from "@composio/client/resources/index.js";

export interface Dependencies {
  readonly composio: Composio;
  readonly now: () => Date;
}

export const query: ConnectedAccountListParams = { user_ids: ["ada"] };

export async function load({ composio }: Dependencies, id: string): Promise<ConnectedAccountRetrieveResponse> {
  return composio.connectedAccounts.retrieve(id);
}

export async function run(dependencies: Dependencies, slug: string, body: ToolExecuteParams): Promise<unknown> {
  const tools: ToolListResponse = await dependencies.composio.tools.list();
  console.log(tools.items.length);
  return dependencies.composio.tools.execute(slug, body);
}
