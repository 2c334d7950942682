import { Composio } from "@composio/core";

const composio = new Composio();

const { triggerId } = await composio.triggers.create("user-4711", "GITHUB_COMMIT_EVENT", {
  connectedAccountId: "ca_github_demo",
  triggerConfig: { owner: "octo-org", repoName: "stays" },
});
const active = await composio.triggers.listActive({ connectedAccountIds: ["ca_github_demo"], showDisabled: true });
for (const trigger of active.items) {
  console.log(trigger.id, trigger.triggerName, trigger.disabledAt);
}
await composio.triggers.update(triggerId, { status: "disable" });
await composio.triggers.enable(triggerId);
await composio.triggers.delete(triggerId);
const type = await composio.triggers.getType("GITHUB_COMMIT_EVENT");
console.log(type.config, (await composio.triggers.listTypes({ limit: 5 })).items.length);

await composio.triggers.subscribe((event) => console.log(event.triggerSlug), { toolkits: ["github"] });
