import { composio as client } from "./client.js";

export async function slugs(): Promise<string[]> {
  const { items } = await client.tools.list({ toolkit_slug: "textkit" });
  return items.map((tool) => tool.slug);
}

export const describe = async (slug: string) => (await client.tools.get(slug)).description;
