import Composio from "@composio/client";

const composio = new Composio();

export async function everyAccount(): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await composio.connectedAccounts.list({ user_ids: ["ada"], cursor: cursor ?? undefined, limit: 50 });
    ids.push(...page.items.map((account) => account.id));
    cursor = page.next_cursor;
  } while (cursor);
  return ids;
}
