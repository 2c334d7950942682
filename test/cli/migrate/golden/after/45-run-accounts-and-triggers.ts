import { Svc, ApiError } from "svc-sdk";

export async function main({ apiKey, url }: { apiKey: string; url: string }): Promise<unknown> {
  const composio = new Svc({ apiKey, baseUrl: url, maxRetries: 0 });
  const { auth_config } = await composio.authConfigs.create({
    toolkit: { slug: "slack" },
    auth_config: { type: "use_svc_managed_auth" },
  });
  await composio.authConfigs.disable(auth_config.id);
  const { status, is_svc_managed: is_composio_managed } = await composio.authConfigs.get(auth_config.id);
  const trigger = await composio.triggers.upsert("GITHUB_COMMIT_EVENT", {
    connected_account_id: "ca_github_demo",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
  });
  await composio.triggers.disable(trigger.trigger_id);
  const { items } = await composio.triggers.listActive({ show_disabled: true });
  await composio.triggers.delete(trigger.trigger_id);
  const again = await composio.triggers.delete(trigger.trigger_id)
    .catch((error: unknown) => (error instanceof ApiError ? error.status : undefined));
  await composio.connectedAccounts.update("ca_github_demo", { alias: "work" });
  const account = await composio.connectedAccounts.get("ca_github_demo");
  return [status, is_composio_managed, items.length, again, account.alias, account.toolkit.slug];
}
