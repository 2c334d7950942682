// The room of the inspector's parts, which its screens share. It imports no screen. Start here.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Color of a label: good, in progress, careful, bad, to act on, or without meaning. */
type Tone = "good" | "info" | "warn" | "bad" | "loud" | "plain";

/** Statuses of accounts, deliveries, calls, and what else has one. Others are plain. */
const TONES: Readonly<Partial<Record<Tone, readonly string[]>>> = {
  good: ["ACTIVE", "ENABLED", "enabled", "delivered", "succeeded"],
  info: ["INITIATED", "INITIALIZING", "pending", "running", "duplicate"],
  warn: ["EXPIRED", "fault", "not run", "aborted", "expired", "waiting"],
  bad: ["FAILED", "REVOKED", "failed", "denied", "unknown"],
};

function toneOf(value: string | number): string {
  if (typeof value === "string")
    return Object.entries(TONES).find(([, words]) => words.includes(value))?.[0] ?? "plain";
  if (value >= 500) return "bad";
  return value >= 400 ? "warn" : value >= 300 ? "info" : "good";
}

interface BadgeProps {
  /** A word, or an HTTP status; without one, the connection broke. */
  readonly value: string | number | null | undefined;
  /** Unless the value says it. */
  readonly tone?: Tone | undefined;
}

/** A small colored label. Its text has the meaning; the color repeats it. */
export function Badge({ value, tone }: BadgeProps) {
  return <span class={`badge ${tone ?? toneOf(value ?? 500)}`}>{value ?? "broken"}</span>;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Text in a monospaced, scrollable block; JSON is colored. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard.
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>
        <code>{/^\s*[[{]/.test(text) ? colored(text) : text}</code>
      </pre>
    </section>
  );
}

function colored(text: string) {
  const parts: (string | preact.JSX.Element)[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [all, string, colon] = match;
    parts.push(text.slice(end, match.index));
    const kind = colon !== undefined ? "key" : string !== undefined ? "string" : "literal";
    parts.push(<span class={kind}>{string ?? all}</span>, colon ?? "");
    end = match.index + all.length;
  }
  return [...parts, text.slice(end)];
}

interface EmptyProps {
  readonly title: string;
  /** Code that would change that. */
  readonly example?: string | undefined;
  readonly children: ComponentChildren;
}

/** An empty screen: what belongs there, and what to do next. */
export function Empty({ title, example, children }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {example && <Code text={example} label="Example" />}
    </div>
  );
}

/** The title of a screen, with its controls. */
export function Head({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <header class="head">
      <h1>{title}</h1>
      {children}
    </header>
  );
}

interface DetailProps {
  readonly title: string;
  readonly badge?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Everything known about an item. */
export function Detail({ title, badge, children }: DetailProps) {
  return (
    <article aria-label={title}>
      <h2 class="title">
        {badge} <span>{title}</span>
      </h2>
      {children}
    </article>
  );
}

/** Names and values. Those that are `undefined` or false are omitted. */
export function Facts({ items }: { readonly items: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(items).map(
        ([name, value]) =>
          value !== undefined &&
          value !== false && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Titles of columns, and functions that show their values. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => ComponentChildren>>;

interface TableProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  /** By title of the column. The first one names the row. */
  readonly columns: Columns<Item>;
}

/** Records as a table. On a narrow screen, each row is a card whose values have the columns' titles. */
export function Table<Item extends { readonly id: string | number }>({ label, items, columns }: TableProps<Item>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="table" aria-label={label} tabIndex={0}>
      {/* The roles stay, even where the styles make cards of it. */}
      {/* biome-ignore lint/a11y/noRedundantRoles: see above. */}
      <table role="table">
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
            // biome-ignore lint/a11y/noRedundantRoles: see above.
            <tr key={item.id} role="row">
              {Object.entries(columns).map(([title, show], index) =>
                index === 0 ? (
                  // biome-ignore lint/a11y/noRedundantRoles: see above.
                  <th key={title} scope="row" role="rowheader">
                    {show(item)}
                  </th>
                ) : (
                  // biome-ignore lint/a11y/noRedundantRoles: see above.
                  <td key={title} role="cell" data-title={title}>
                    <div>{show(item)}</div>
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

/** The real time, read again every second while something on the page depends on it. */
export function useRealTime(isNeeded = true): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return now;
}
