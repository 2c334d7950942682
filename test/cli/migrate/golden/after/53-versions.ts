import { Svc } from "svc-sdk";

const composio = new Svc();
const pinned = new Svc({ toolkitVersions: { textkit: "20260101_00" } });
const fixed = { version: "20260101_00" };

export async function reverse(text: string): Promise<void> {
  // TODO(svc-sdk): no version is passed: add one here, or toolkitVersions to the client. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
  await composio.tools.execute("TEXTKIT_REVERSE", { user_id: "user-4711", arguments: { text } });
  // TODO(svc-sdk): no version is passed: add one here, or toolkitVersions to the client. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
  await composio.tools.execute("TEXTKIT_REVERSE", { arguments: { text } });
  await composio.tools.execute("TEXTKIT_REVERSE", { arguments: { text }, version: "latest" });
  await composio.tools.execute("TEXTKIT_REVERSE", { arguments: { text }, ...fixed });
  await pinned.tools.execute("TEXTKIT_REVERSE", { arguments: { text } });
}

export async function count(client: Svc, text: string): Promise<unknown> {
  const body = { arguments: { text } };
  // TODO(svc-sdk): no version is passed: add one here, or toolkitVersions to the client. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
  const { data } = await client.tools.execute("TEXTKIT_COUNT_WORDS", body);
  return data;
}
