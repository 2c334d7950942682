import { Svc } from "svc-sdk";

const client = new Svc();

const { trigger_id: id } = await client.triggers.upsert("GITHUB_COMMIT_EVENT", {
  connected_account_id: "ca_github_demo",
  trigger_config: { owner: "octo-org", repo: "hello-world" },
});
await client.triggers.disable(id);
await client.triggers.enable(id);
const active = await client.triggers.listActive({ show_disabled: true });
console.log(active.items.length);
await client.triggers.delete(id);
const type = await client.triggers.getType("GITHUB_COMMIT_EVENT");
const names = await client.triggers.enum();
console.log(type.config, names.length);
