import { change, type RoutePlace } from "../router.js";

/** Facts by which a list is filtered, by label: the user of an item, for example. */
export type Facets<Item> = Readonly<Record<string, (item: Item) => string | null | undefined>>;

/** Whether an item has the values that a place names. */
export function hasFacets<Item>(item: Item, facets: Facets<Item>, { query }: RoutePlace): boolean {
  return Object.entries(facets).every(([label, factOf]) => {
    const wanted = query[label.toLowerCase()];
    return wanted === undefined || factOf(item) === wanted;
  });
}

interface FacetFiltersProps<Item> {
  readonly facets: Facets<Item>;
  /** All items. A fact that they share can't filter them, and isn't offered. */
  readonly items: readonly Item[];
  readonly place: RoutePlace;
}

/** A choice for each fact by which the items differ. */
export function FacetFilters<Item>({ facets, items, place }: FacetFiltersProps<Item>) {
  return (
    <>
      {Object.entries(facets).map(([label, factOf]) => {
        const name = label.toLowerCase();
        const chosen = place.query[name] ?? "";
        const found = new Set(items.map(factOf).filter((value): value is string => Boolean(value)));
        if (chosen !== "") found.add(chosen);
        else if (found.size < 2) return null;
        return (
          <select
            key={label}
            class="facet"
            aria-label={label}
            value={chosen}
            onChange={({ currentTarget }) => change(place, { [name]: currentTarget.value })}
          >
            <option value="">Any {name}</option>
            {[...found].sort().map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        );
      })}
    </>
  );
}
