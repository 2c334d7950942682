const { default: Client } = await import("@composio/client");
const client = new Client({ baseURL: "http://127.0.0.1:4747" });

export async function slugs() {
  const [tools, toolkits] = await Promise.all([client.tools.retrieveEnum(), client.toolkits.retrieveMulti({ toolkits: ["github"] })]);
  return { tools, toolkits: toolkits.items };
}
