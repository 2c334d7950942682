import { Svc } from "svc-sdk";

const composio = new Svc();

const managed = await composio.authConfigs.create({ toolkit: { slug: "github" }, auth_config: { type: "use_svc_managed_auth", name: "Bots" } });
const custom = await composio.authConfigs.create({ toolkit: { slug: "slack" }, auth_config: {
  type: "use_custom_auth",
  authScheme: "OAUTH2",
  name: "Own app",
  credentials: { client_id: "c", client_secret: "s" },
  is_enabled_for_tool_router: true,
} });
console.log(managed.auth_config.id, custom.auth_config.auth_scheme, custom.toolkit.slug);
await composio.authConfigs.update(managed.auth_config.id, {
  type: "default",
  tool_access_config: { tools_available_for_execution: ["GITHUB_CREATE_AN_ISSUE"] },
});
await composio.authConfigs.disable(managed.auth_config.id);
const read = await composio.authConfigs.get(managed.auth_config.id);
console.log(read.name, read.auth_scheme);
await composio.authConfigs.delete(managed.auth_config.id);
