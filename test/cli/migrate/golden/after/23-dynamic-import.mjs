const { Svc: Client } = await import("svc-sdk");
const client = new Client({ baseUrl: "http://127.0.0.1:4747" });

export async function slugs() {
  const [tools, toolkits] = await Promise.all([client.tools.enum(), client.toolkits.multi({ toolkits: ["github"] })]);
  return { tools, toolkits: toolkits.items };
}
