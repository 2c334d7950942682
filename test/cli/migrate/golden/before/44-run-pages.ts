import Composio from "@composio/client";

export async function main({ apiKey, url }: { apiKey: string; url: string }): Promise<unknown> {
  const composio = new Composio({ apiKey, baseURL: url });
  const slugs: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: { items: { slug: string }[]; next_cursor?: string | null } = await composio.tools.list({
      toolkit_slug: "github",
      limit: 2,
      cursor,
    });
    slugs.push(...page.items.map((tool) => tool.slug));
    cursor = page.next_cursor ?? null;
    pages += 1;
  } while (cursor !== null);
  const [toolkits, categories] = await Promise.all([
    composio.toolkits.retrieveMulti({ toolkits: ["github"] }),
    composio.toolkits.retrieveCategories(),
  ]);
  return [slugs, pages, toolkits.items.map(({ slug }) => slug), categories.items.length];
}
