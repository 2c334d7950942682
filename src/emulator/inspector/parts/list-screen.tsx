import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { count } from "../format.js";
import { change, go, linkTo, type RoutePlace } from "../router.js";
import { KEPT } from "../store.js";
import { Empty, Head } from "./basics.jsx";
import { FacetFilters, type Facets, hasFacets } from "./facets.jsx";
import { type Heading, VirtualList } from "./virtual-list.jsx";

interface ListScreenProps<Item extends object> {
  readonly title: string;
  readonly place: RoutePlace;
  /** Above the list: why items are missing, or what to act on. */
  readonly notice?: ComponentChildren;
  /** In the order in which they're shown. */
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Text that a search looks at. */
  readonly textOf: (item: Item) => string;
  /** That text in words. */
  readonly searched: string;
  /** Labels of the values of the parameter `show`. The first one is the default. */
  readonly filters?: Readonly<Record<string, string>>;
  readonly isShown?: (item: Item, show: string) => boolean;
  /** Facts to choose by. */
  readonly facets?: Facets<Item>;
  /** Controls beside the filters. */
  readonly controls?: (shown: readonly Item[]) => ComponentChildren;
  /** The heading of the items from this one on. */
  readonly headingOf?: (item: Item) => Heading;
  readonly rowOf: (item: Item) => ComponentChildren;
  readonly detailOf: (item: Item) => ComponentChildren;
  /** Details of something else that the place names, such as a heading. */
  readonly otherDetailOf?: (name: string) => ComponentChildren;
  /** Shown while there are no items at all. */
  readonly empty: ComponentChildren;
}

/** The lowercase string of each item, for searches. */
const texts = new WeakMap<object, string>();

/** A screen with a list that can be searched, and details of the item that the place names. */
export function ListScreen<Item extends object>(props: ListScreenProps<Item>) {
  const { title, place, notice, items, filters = {}, facets = {}, keyOf } = props;
  const { item, query } = place;
  const { q = "", show = Object.keys(filters)[0] ?? "" } = query;
  const shown = shownItems(props, q, show);
  const selected = items.find((candidate) => keyOf(candidate) === item);
  const list = linkTo(place.screen, undefined, query);
  useClosingKey(item, list);
  return (
    <>
      <Head title={title}>
        <search class="bar">
          <input
            type="search"
            class="search"
            aria-label={`Search ${title.toLowerCase()}`}
            placeholder={`Search ${props.searched} (press /)`}
            value={q}
            onInput={({ currentTarget }) => change(place, { q: currentTarget.value })}
          />
          <ShowButtons filters={filters} show={show} place={place} />
          <FacetFilters facets={facets} items={items} place={place} />
          {props.controls?.(shown)}
        </search>
      </Head>
      {notice && <div class="notice">{notice}</div>}
      <div class={item === undefined ? "split" : "split open"}>
        <div class="side">
          <ItemList {...props} shown={shown} />
        </div>
        {item !== undefined && (
          <div class="detail">
            <a class="back" href={list}>
              ← Back to the list
            </a>
            {(selected ? props.detailOf(selected) : props.otherDetailOf?.(item)) ?? (
              <p class="hint">{item} not found. It may have been deleted.</p>
            )}
          </div>
        )}
      </div>
    </>
  );
}

/** The items that the search, the buttons and the facets leave. */
function shownItems<Item extends object>(
  { items, facets = {}, place, textOf, isShown = () => true }: ListScreenProps<Item>,
  search: string,
  show: string,
): Item[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (candidate: Item) => {
    if (words.length === 0) return true;
    const text = texts.get(candidate) ?? textOf(candidate).toLowerCase();
    texts.set(candidate, text);
    return words.every((word) => text.includes(word));
  };
  return items.filter(
    (candidate) => isShown(candidate, show) && hasFacets(candidate, facets, place) && matches(candidate),
  );
}

/** Returns from the details to the list with Escape. */
function useClosingKey(item: string | undefined, list: string) {
  useEffect(() => {
    // Elsewhere, Escape clears a search or closes a dialog, and a half-filled form must stay.
    const close = ({ key, target }: KeyboardEvent) => key === "Escape" && !isTyping(target) && go(list);
    if (item !== undefined) addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [item, list]);
}

interface ShowButtonsProps {
  readonly filters: Readonly<Record<string, string>>;
  /** The chosen one. */
  readonly show: string;
  readonly place: RoutePlace;
}

function ShowButtons({ filters, show, place }: ShowButtonsProps) {
  if (Object.keys(filters).length === 0) return null;
  return (
    <fieldset class="segments">
      <legend class="hidden">Show</legend>
      {Object.entries(filters).map(([name, label], index) => (
        <button
          key={name}
          type="button"
          aria-pressed={show === name}
          onClick={() => change(place, { show: index === 0 ? "" : name })}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

/** The shown items and their number; otherwise the reason why the list is empty. */
function ItemList<Item extends object>(props: ListScreenProps<Item> & { readonly shown: readonly Item[] }) {
  const { title, items, shown, keyOf, place } = props;
  if (items.length === 0) return props.empty;
  return (
    <>
      <p class="count">
        {count(shown.length)} of {count(items.length)}
        {items.length >= KEPT && `, the latest ${count(KEPT)}`}
      </p>
      {shown.length > 0 ? (
        <VirtualList label={title} items={shown} keyOf={keyOf} place={place} headingOf={props.headingOf}>
          {props.rowOf}
        </VirtualList>
      ) : (
        <Empty title="Nothing matches">Change the search or the filters to see more.</Empty>
      )}
    </>
  );
}

/** Whether keys belong to what has the focus: a field, or a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null;
}
