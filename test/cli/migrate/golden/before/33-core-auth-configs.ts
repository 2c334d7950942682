import { Composio } from "@composio/core";

const composio = new Composio();

const managed = await composio.authConfigs.create("github", { type: "use_composio_managed_auth", name: "Bots" });
const custom = await composio.authConfigs.create("slack", {
  type: "use_custom_auth",
  authScheme: "OAUTH2",
  name: "Own app",
  credentials: { client_id: "c", client_secret: "s" },
  isEnabledForToolRouter: true,
});
console.log(managed.id, custom.authScheme, custom.toolkit);
await composio.authConfigs.update(managed.id, {
  type: "default",
  toolAccessConfig: { toolsAvailableForExecution: ["GITHUB_CREATE_AN_ISSUE"] },
});
await composio.authConfigs.disable(managed.id);
const read = await composio.authConfigs.get(managed.id);
console.log(read.name, read.authScheme);
await composio.authConfigs.delete(managed.id);
