import { Composio } from "@composio/core";

export async function main({ apiKey, url }: { apiKey: string; url: string }): Promise<unknown> {
  const composio = new Composio({ apiKey, baseURL: url, allowTracking: false, disableVersionCheck: true });
  const { items, nextCursor } = await composio.connectedAccounts.list({ userIds: ["user-4711"], toolkitSlugs: ["github"] });
  const names = items.map((account) => `${account.id} ${account.authConfig.isComposioManaged} ${account.statusReason}`);
  const run = await composio.tools.execute("TEXTKIT_REVERSE", {
    userId: "user-4711",
    arguments: { text: "stressed" },
    dangerouslySkipVersionCheck: true,
  });
  const created = await composio.authConfigs.create("slack", { type: "use_composio_managed_auth", name: "Bots" });
  const config = await composio.authConfigs.get(created.id);
  const { triggerId } = await composio.triggers.create("user-4711", "GITHUB_COMMIT_EVENT", {
    triggerConfig: { owner: "octo-org", repo: "hello-world" },
  });
  const active = await composio.triggers.listActive({ triggerIds: [triggerId] });
  await composio.triggers.delete(triggerId);
  return [
    names,
    nextCursor,
    run.data,
    created.toolkit,
    config.name,
    active.items.map(({ triggerName, disabledAt }) => [triggerName, disabledAt]),
    (await composio.toolkits.get("github")).slug,
  ];
}
