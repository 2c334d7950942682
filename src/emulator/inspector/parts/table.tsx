import type { ComponentChildren } from "preact";

/** Titles of columns, and functions that show their values. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => ComponentChildren>>;

interface TableProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  /** By title of the column. The first one names the row. */
  readonly columns: Columns<Item>;
}

/** Records as a table. On a narrow screen, each is a list of its values, with the columns' titles. */
export function Table<Item extends { readonly id: string | number }>({ label, items, columns }: TableProps<Item>) {
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
            <tr key={item.id}>
              {Object.entries(columns).map(([title, show], index) =>
                index === 0 ? (
                  <th key={title} scope="row" data-title={title}>
                    {show(item)}
                  </th>
                ) : (
                  <td key={title} data-title={title}>
                    {show(item)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
