import { Svc } from "svc-sdk";

export async function main({ apiKey, url }: { apiKey: string; url: string }): Promise<unknown> {
  const composio = new Svc({ apiKey, baseUrl: url });
  const { items, next_cursor: nextCursor } = await composio.connectedAccounts.list({ user_ids: ["user-4711"], toolkit_slugs: ["github"] });
  const names = items.map((account) => `${account.id} ${account.auth_config.is_svc_managed} ${account.status_reason}`);
  const run = await composio.tools.execute("TEXTKIT_REVERSE", {
    user_id: "user-4711",
    arguments: { text: "stressed" },
    version: "latest",
  });
  const created = await composio.authConfigs.create({ toolkit: { slug: "slack" }, auth_config: { type: "use_svc_managed_auth", name: "Bots" } });
  const config = await composio.authConfigs.get(created.auth_config.id);
  const { trigger_id: triggerId } = await composio.triggers.upsert("GITHUB_COMMIT_EVENT", {
    user_id: "user-4711",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
  });
  const active = await composio.triggers.listActive({ trigger_ids: [triggerId] });
  await composio.triggers.delete(triggerId);
  return [
    names,
    nextCursor,
    run.data,
    created.toolkit.slug,
    config.name,
    active.items.map(({ trigger_name: triggerName, disabled_at: disabledAt }) => [triggerName, disabledAt]),
    (await composio.toolkits.get("github")).slug,
  ];
}
