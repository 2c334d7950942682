import { Svc } from "svc-sdk";

export async function main({ apiKey, url }: { apiKey: string; url: string }): Promise<unknown> {
  const composio = new Svc({ apiKey, baseUrl: url });
  const session = await composio.toolRouter.create({
    user_id: "user-4711",
    toolkits: { enable: ["textkit", "weathermap"] },
  });
  const run = await session.execute({
    tool_slug: "WEATHERMAP_WEATHER",
    arguments: { city: "Lisbon" },
  });
  const { items } = await session.toolkits({ is_connected: true });
  const files = await composio.toolRouter.use(session.id).mounts("files").items();
  const { record: { config } } = await composio.toolRouter.get(session.id);
  const server = await composio.mcp.create({ name: "Code server", auth_config_ids: ["ac_github_demo"] });
  await composio.mcp.createInstance(server.id, { user_id: "user-4711" });
  const instances = await composio.mcp.listInstances(server.id);
  await composio.mcp.deleteInstance(server.id, instances.instances[0]?.instance_id ?? "");
  return [run.error, Object.keys(run.data), items.map(({ slug }) => slug), files.items.length, config.user_id];
}
