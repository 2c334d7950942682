import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface VirtualListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly keyOf: (item: Item) => string;
  readonly selected: string | undefined;
  /** Called with the item that a key moved to. */
  readonly onSelect: (item: Item) => void;
  readonly children: (item: Item) => ComponentChildren;
}

/** How many rows are rendered above and below the visible ones. */
const MARGIN = 8;

/** A list that renders its visible rows only, so it stays fast with thousands. Arrow keys move the selection. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, rowHeight, keyOf, selected, onSelect, children } = props;
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
  const index = selected === undefined ? -1 : items.findIndex((item) => keyOf(item) === selected);
  const move = (event: KeyboardEvent) => {
    const to = MOVES[event.key]?.(index, items.length);
    const item = to === undefined ? undefined : items[Math.max(0, Math.min(to, items.length - 1))];
    if (!item || to === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    onSelect(item);
    reveal(frame.current, Math.max(0, Math.min(to, items.length - 1)) * rowHeight, rowHeight);
  };
  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + MARGIN);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="list" ref={frame} tabIndex={0} aria-label={label} onScroll={measure} onKeyDown={move}>
      <ol style={{ height: `${items.length * rowHeight}px`, paddingTop: `${first * rowHeight}px` }}>
        {items.slice(first, last).map((item) => (
          <li key={keyOf(item)} style={{ height: `${rowHeight}px` }}>
            {children(item)}
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

function reveal(frame: HTMLElement | null, top: number, rowHeight: number): void {
  if (!frame) return;
  if (top < frame.scrollTop) frame.scrollTop = top;
  else if (top + rowHeight > frame.scrollTop + frame.clientHeight)
    frame.scrollTop = top + rowHeight - frame.clientHeight;
}
