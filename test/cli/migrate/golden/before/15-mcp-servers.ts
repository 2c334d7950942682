import Composio from "@composio/client";

const composio = new Composio();

const server = await composio.mcp.create({ name: "Code server", auth_config_ids: ["ac_github_demo"] });
const custom = await composio.mcp.custom.create({ name: "Texts", toolkits: ["textkit"] });
const urls = await composio.mcp.generate.url({ mcp_server_id: server.id, user_ids: ["user-4711"] });
const instance = await composio.mcp.createInstance(server.id, { user_id: "user-4711" });
console.log(custom.id, urls.mcp_url, instance.id);
await composio.mcp.deleteInstance(instance.id, { serverId: server.id });
console.log((await composio.mcp.retrieveApp("github")).items.length);
console.log((await composio.mcp.retrieve(server.id)).name);
await composio.mcp.delete(server.id);
