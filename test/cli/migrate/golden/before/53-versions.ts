import { Composio } from "@composio/core";

const composio = new Composio();
const pinned = new Composio({ toolkitVersions: { textkit: "20260101_00" } });
const fixed = { version: "20260101_00" };

export async function reverse(text: string): Promise<void> {
  await composio.tools.execute("TEXTKIT_REVERSE", { userId: "user-4711", arguments: { text } });
  await composio.tools.execute("TEXTKIT_REVERSE", { arguments: { text }, dangerouslySkipVersionCheck: false });
  await composio.tools.execute("TEXTKIT_REVERSE", { arguments: { text }, dangerouslySkipVersionCheck: true });
  await composio.tools.execute("TEXTKIT_REVERSE", { arguments: { text }, ...fixed });
  await pinned.tools.execute("TEXTKIT_REVERSE", { arguments: { text } });
}

export async function count(client: Composio, text: string): Promise<unknown> {
  const body = { arguments: { text } };
  const { data } = await client.tools.execute("TEXTKIT_COUNT_WORDS", body);
  return data;
}
