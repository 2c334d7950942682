import type { ComponentChildren } from "preact";

interface TableProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** By title of the column. The first one names the row. */
  readonly columns: Readonly<Record<string, (item: Item) => ComponentChildren>>;
}

/** Records as a table. On a narrow screen, each is a list of its values, with the columns' titles. */
export function Table<Item>({ label, items, keyOf, columns }: TableProps<Item>) {
  const [first = "", ...others] = Object.keys(columns);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {Object.keys(columns).map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              <th scope="row" data-title={first}>
                {columns[first]?.(item)}
              </th>
              {others.map((title) => (
                <td key={title} data-title={title}>
                  {columns[title]?.(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
