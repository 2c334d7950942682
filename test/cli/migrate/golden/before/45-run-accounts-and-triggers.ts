import Composio, { APIError } from "@composio/client";

export async function main({ apiKey, url }: { apiKey: string; url: string }): Promise<unknown> {
  const composio = new Composio({ apiKey, baseURL: url, maxRetries: 0 });
  const { auth_config } = await composio.authConfigs.create({
    toolkit: { slug: "slack" },
    auth_config: { type: "use_composio_managed_auth" },
  });
  await composio.authConfigs.updateStatus("DISABLED", { nanoid: auth_config.id });
  const { status, is_composio_managed } = await composio.authConfigs.retrieve(auth_config.id);
  const trigger = await composio.triggerInstances.upsert("GITHUB_COMMIT_EVENT", {
    connected_account_id: "ca_github_demo",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
  });
  await composio.triggerInstances.manage.update(trigger.trigger_id, { status: "disable" });
  const { items } = await composio.triggerInstances.listActive({ show_disabled: true });
  await composio.triggerInstances.manage.delete(trigger.trigger_id);
  const again = await composio.triggerInstances.manage
    .delete(trigger.trigger_id)
    .catch((error: unknown) => (error instanceof APIError ? error.status : undefined));
  await composio.connectedAccounts.patch("ca_github_demo", { alias: "work" });
  const account = await composio.connectedAccounts.retrieve("ca_github_demo");
  return [status, is_composio_managed, items.length, again, account.alias, account.toolkit.slug];
}
