import Composio from "@composio/client";

const client = new Composio();

const { trigger_id: id } = await client.triggerInstances.upsert("GITHUB_COMMIT_EVENT", {
  connected_account_id: "ca_github_demo",
  trigger_config: { owner: "octo-org", repo: "hello-world" },
});
await client.triggerInstances.manage.update(id, { status: "disable" });
await client.triggerInstances.manage.update(id, { status: "enable" });
const active = await client.triggerInstances.listActive({ show_disabled: true });
console.log(active.items.length);
await client.triggerInstances.manage.delete(id);
const type = await client.triggersTypes.retrieve("GITHUB_COMMIT_EVENT");
const names = await client.triggersTypes.retrieveEnum();
console.log(type.config, names.length);
