import Composio from "@composio/client";

export async function main({ apiKey, url }: { apiKey: string; url: string }): Promise<unknown> {
  const composio = new Composio({ apiKey, baseURL: url });
  const session = await composio.toolRouter.session.create({
    user_id: "user-4711",
    toolkits: { enable: ["textkit", "weathermap"] },
  });
  const run = await composio.toolRouter.session.execute(session.session_id, {
    tool_slug: "WEATHERMAP_WEATHER",
    arguments: { city: "Lisbon" },
  });
  const { items } = await composio.toolRouter.session.toolkits(session.session_id, { is_connected: true });
  const files = await composio.toolRouter.session.files.list("files", { session_id: session.session_id });
  const { config } = await composio.toolRouter.session.retrieve(session.session_id);
  const server = await composio.mcp.create({ name: "Code server", auth_config_ids: ["ac_github_demo"] });
  await composio.mcp.createInstance(server.id, { user_id: "user-4711" });
  const instances = await composio.mcp.listInstances(server.id);
  await composio.mcp.deleteInstance(instances.instances[0]?.instance_id ?? "", { serverId: server.id });
  return [run.error, Object.keys(run.data), items.map(({ slug }) => slug), files.items.length, config.user_id];
}
