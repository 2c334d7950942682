import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { go, linkTo, type Place } from "../router.js";

interface VirtualListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Names the selected item. */
  readonly place: Place;
  readonly children: (item: Item, above: Item | undefined) => ComponentChildren;
}

const ROW_HEIGHT = 36;

/** How many rows are rendered above and below the visible ones. */
const MARGIN = 8;

/** A list that renders its visible rows only, so it stays fast with thousands. Arrow keys move the selection. */
export function VirtualList<Item>({ label, items, keyOf, place, children }: VirtualListProps<Item>) {
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
    reveal(frame.current, reached * ROW_HEIGHT);
  };
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - MARGIN);
  const last = Math.min(items.length, Math.ceil((top + height) / ROW_HEIGHT) + MARGIN);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="list" ref={frame} tabIndex={0} aria-label={label} onScroll={measure} onKeyDown={move}>
      <ol style={{ height: `${items.length * ROW_HEIGHT}px`, paddingTop: `${first * ROW_HEIGHT}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li key={keyOf(item)}>
            <a
              class="row"
              href={linkOf(item)}
              aria-current={keyOf(item) === place.item ? "true" : undefined}
              tabIndex={-1}
            >
              {children(item, items[first + index - 1])}
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
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
