import { Svc } from "svc-sdk";

const composio = new Svc();

const server = await composio.mcp.create({ name: "Code server", auth_config_ids: ["ac_github_demo"] });
const custom = await composio.mcp.createCustom({ name: "Texts", toolkits: ["textkit"] });
const urls = await composio.mcp.generateUrl({ mcp_server_id: server.id, user_ids: ["user-4711"] });
const instance = await composio.mcp.createInstance(server.id, { user_id: "user-4711" });
console.log(custom.id, urls.mcp_url, instance.id);
await composio.mcp.deleteInstance(server.id, instance.id);
console.log((await composio.mcp.listByApp("github")).items.length);
console.log((await composio.mcp.get(server.id)).name);
await composio.mcp.delete(server.id);
