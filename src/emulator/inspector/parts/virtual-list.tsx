import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { go, linkTo, type RoutePlace } from "../router.js";

/** A heading in a list. Items with the same key in a row share it. */
export interface Heading {
  readonly key: string;
  readonly content: () => ComponentChildren;
}

interface VirtualListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Names the selected item. */
  readonly place: RoutePlace;
  readonly headingOf?: ((item: Item) => Heading) | undefined;
  readonly children: (item: Item) => ComponentChildren;
}

const ROW_HEIGHT = 36;

/** How many rows are rendered above and below the visible ones. */
const MARGIN = 8;

/** A list that renders its visible rows only, so it stays fast with thousands. Arrow keys move the selection. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, keyOf, place, children } = props;
  const frame = useRef<HTMLElement>(null);
  const [{ top, height }, setWindow] = useState({ top: 0, height: 800 });
  const measure = () => {
    const { current } = frame;
    if (current) setWindow({ top: current.scrollTop, height: current.clientHeight });
  };
  useLayoutEffect(measure, []);
  useEffect(() => {
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const rows = rowsOf(props);
  const linkOf = (item: Item) => linkTo(place.screen, keyOf(item), place.query);
  const move = (event: KeyboardEvent) => {
    const index = items.findIndex((item) => keyOf(item) === place.item);
    const to = MOVES[event.key]?.(index, items.length);
    if (to === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    const reached = Math.max(0, Math.min(to, items.length - 1));
    const item = items[reached];
    if (item === undefined) return;
    event.preventDefault();
    go(linkOf(item), place.item !== undefined);
    // Not behind its heading.
    const row = reached === 0 ? 0 : rows.findIndex((candidate) => "item" in candidate && candidate.item === item);
    reveal(frame.current, row * ROW_HEIGHT);
  };
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - MARGIN);
  const last = Math.min(rows.length, Math.ceil((top + height) / ROW_HEIGHT) + MARGIN);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="list" ref={frame} tabIndex={0} aria-label={label} onScroll={measure} onKeyDown={move}>
      <ol style={{ height: `${rows.length * ROW_HEIGHT}px`, paddingTop: `${first * ROW_HEIGHT}px` }}>
        {rows.slice(first, last).map((row) =>
          "item" in row ? (
            <li key={keyOf(row.item)}>
              <a
                class="row"
                href={linkOf(row.item)}
                aria-current={keyOf(row.item) === place.item ? "true" : undefined}
                tabIndex={-1}
              >
                {children(row.item)}
              </a>
            </li>
          ) : (
            <li key={row.heading.key} class="heading">
              {row.heading.content()}
            </li>
          ),
        )}
      </ol>
    </section>
  );
}

type ShownRow<Item> = { readonly item: Item } | { readonly heading: Heading };

/** The items, with a heading where theirs changes. */
function rowsOf<Item>({ items, headingOf }: VirtualListProps<Item>): readonly ShownRow<Item>[] {
  if (!headingOf) return items.map((item) => ({ item }));
  let above: string | undefined;
  return items.flatMap((item): ShownRow<Item>[] => {
    const heading = headingOf(item);
    const isNew = heading.key !== above;
    above = heading.key;
    return isNew ? [{ heading }, { item }] : [{ item }];
  });
}

const MOVES: Readonly<Record<string, (index: number, length: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  j: (index) => index + 1,
  k: (index) => index - 1,
  PageDown: (index) => index + 20,
  PageUp: (index) => index - 20,
  Home: () => 0,
  End: (_, length) => length - 1,
};

function reveal(frame: HTMLElement | null, top: number): void {
  if (!frame) return;
  const lowest = top + ROW_HEIGHT - frame.clientHeight;
  frame.scrollTop = Math.max(lowest, Math.min(top, frame.scrollTop));
}
