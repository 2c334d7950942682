import { Svc, type ListConnectedAccountsQuery } from "svc-sdk";

const composio = new Svc();
const filter: ListConnectedAccountsQuery = { user_ids: ["ada"], toolkit_slugs: ["github"], statuses: ["ACTIVE"] };

export async function accounts() {
  const { items, next_cursor: nextCursor } = await composio.connectedAccounts.list(filter);
  for (const account of items) console.log(account.id, account.auth_config.is_svc_managed, account.toolkit.slug);
  const oldest = items.toSorted((a, b) => a.created_at.localeCompare(b.created_at)).at(0);
  return { names: items.map(({ id, updated_at: updatedAt }) => `${id} ${updatedAt}`), oldest: oldest?.created_at, nextCursor };
}

export async function disable(id: string) {
  await composio.connectedAccounts.disable(id);
  await composio.connectedAccounts.refresh(id);
  const account = await composio.connectedAccounts.get(id);
  if (account.is_disabled) await composio.connectedAccounts.delete(id);
}
