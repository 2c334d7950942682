import { Svc } from "svc-sdk";

declare namespace JSX {
  type Element = unknown;
  interface IntrinsicElements {
    readonly ul: object;
    readonly li: object;
  }
}
declare const React: { createElement(...parts: unknown[]): unknown };

const composio = new Svc();

/** A list on the server. */
export async function Toolkits({ category }: { category: string }): Promise<unknown> {
  const { items } = await composio.toolkits.list({ category });
  const slugs = items.map(({ slug }) => slug);
  return (
    <ul data-count={(await composio.toolkits.categories()).items.length}>
      {slugs.map((slug) => (
        <li key={slug}>{slug}</li>
      ))}
    </ul>
  );
}
