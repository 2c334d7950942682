import { Composio } from "@composio/core";
import type { ConnectedAccountListParams } from "@composio/core";

const composio = new Composio();
const filter: ConnectedAccountListParams = { userIds: ["ada"], toolkitSlugs: ["github"], statuses: ["ACTIVE"] };

export async function accounts() {
  const { items, nextCursor } = await composio.connectedAccounts.list(filter);
  for (const account of items) console.log(account.id, account.authConfig.isComposioManaged, account.toolkit.slug);
  const oldest = items.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)).at(0);
  return { names: items.map(({ id, updatedAt }) => `${id} ${updatedAt}`), oldest: oldest?.createdAt, nextCursor };
}

export async function disable(id: string) {
  await composio.connectedAccounts.updateStatus(id, { enabled: false });
  await composio.connectedAccounts.refresh(id);
  const account = await composio.connectedAccounts.get(id);
  if (account.isDisabled) await composio.connectedAccounts.delete(id);
}
