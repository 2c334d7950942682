import { Svc } from "svc-sdk";

const composio = new Svc();

const created = await composio.authConfigs.create({
  toolkit: { slug: "github" },
  auth_config: { type: "use_svc_managed_auth", name: "Bots" },
});
const id = created.auth_config.id;
const { is_svc_managed: is_composio_managed } = await composio.authConfigs.get(id);
await composio.authConfigs.disable(id);
await composio.authConfigs.enable(id, { timeoutMs: 5_000 });
await composio.authConfigs.update(id, { type: "default", name: "Robots" });
const page = await composio.authConfigs.list({ is_svc_managed: true });
console.log(is_composio_managed, page.items.map((config) => config.is_svc_managed));
await composio.authConfigs.delete(id);
