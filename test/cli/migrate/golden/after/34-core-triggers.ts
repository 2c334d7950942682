import { Svc } from "svc-sdk";

const composio = new Svc();

const { trigger_id: triggerId } = await composio.triggers.upsert("GITHUB_COMMIT_EVENT", {
  user_id: "user-4711",
  connected_account_id: "ca_github_demo",
  trigger_config: { owner: "octo-org", repoName: "stays" },
});
const active = await composio.triggers.listActive({ connected_account_ids: ["ca_github_demo"], show_disabled: true });
for (const trigger of active.items) {
  console.log(trigger.id, trigger.trigger_name, trigger.disabled_at);
}
await composio.triggers.disable(triggerId);
await composio.triggers.enable(triggerId);
await composio.triggers.delete(triggerId);
const type = await composio.triggers.getType("GITHUB_COMMIT_EVENT");
console.log(type.config, (await composio.triggers.listTypes({ limit: 5 })).items.length);

// TODO(svc-sdk): events arrive at a webhook: createReceiver of svc-sdk/webhooks, and svc-sdk listen while you develop. See node_modules/svc-sdk/docs/guide/migrating.md#webhooks
await composio.triggers.subscribe((event) => console.log(event.triggerSlug), { toolkits: ["github"] });
