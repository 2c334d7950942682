import Composio from "@composio/client";

const composio = new Composio();

const created = await composio.authConfigs.create({
  toolkit: { slug: "github" },
  auth_config: { type: "use_composio_managed_auth", name: "Bots" },
});
const id = created.auth_config.id;
const { is_composio_managed } = await composio.authConfigs.retrieve(id);
await composio.authConfigs.updateStatus("DISABLED", { nanoid: id });
await composio.authConfigs.updateStatus("ENABLED", { nanoid: id }, { timeout: 5_000 });
await composio.authConfigs.update(id, { type: "default", name: "Robots" });
const page = await composio.authConfigs.list({ is_composio_managed: true });
console.log(is_composio_managed, page.items.map((config) => config.is_composio_managed));
await composio.authConfigs.delete(id);
