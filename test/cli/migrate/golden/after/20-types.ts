import type {
  Svc,
  ListConnectedAccountsQuery,
  ConnectedAccountDetail,
  ExecuteToolBody,
  ToolPage,
} from "svc-sdk";

export interface Dependencies {
  readonly composio: Svc;
  readonly now: () => Date;
}

export const query: ListConnectedAccountsQuery = { user_ids: ["ada"] };

export async function load({ composio }: Dependencies, id: string): Promise<ConnectedAccountDetail> {
  return composio.connectedAccounts.get(id);
}

export async function run(dependencies: Dependencies, slug: string, body: ExecuteToolBody): Promise<unknown> {
  const tools: ToolPage = await dependencies.composio.tools.list();
  console.log(tools.items.length);
  return dependencies.composio.tools.execute(slug, body);
}
