import type { ComponentChildren } from "preact";
import type { ShownRun } from "../api.js";
import { duration } from "../format.js";
import { type Range, type Span, spansOf } from "../timeline.js";

interface BarProps {
  readonly call: ShownRun;
  /** The time that the whole width stands for. */
  readonly range: Range;
  readonly now: number;
}

/** The meaning of each kind of span. */
const MEANINGS: Readonly<Record<Span["kind"], string>> = {
  check: "checks",
  wait: "waits for approval",
  run: "runs",
};

/** A call's time, as a bar with a part for each kind of span. */
export function Bar({ call, range, now }: BarProps) {
  const spans = spansOf(call, now);
  const label = spans.map(({ kind, from, to }) => `${MEANINGS[kind]} ${duration(to - from)}`).join(", ");
  return (
    <span class="bar-frame" role="img" aria-label={label || "no time"}>
      {spans.map((span) => (
        <i key={span.from} class={span.kind} style={placeIn(span, range)} />
      ))}
    </span>
  );
}

function placeIn({ from, to }: Range, range: Range) {
  const whole = range.to - range.from;
  const start = Math.min(1, Math.max(0, (from - range.from) / whole));
  const end = Math.min(1, Math.max(start, (to - range.from) / whole));
  return { left: `${start * 100}%`, width: `${(end - start) * 100}%` };
}

/** A line of a timeline: something that took time, or happened at one. */
export interface TimelineLine {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly kind: Span["kind"] | "request";
  readonly label: ComponentChildren;
  /** Below the label. */
  readonly note?: ComponentChildren;
}

/** The lines of a call, one below the other, each with its part of the time. */
export function Waterfall({ lines, range }: { readonly lines: readonly TimelineLine[]; readonly range: Range }) {
  return (
    <ol class="waterfall">
      {lines.map(({ key, label, note, kind, ...line }) => (
        <li key={key}>
          <span class="label">
            {label}
            {note && <span class="help">{note}</span>}
          </span>
          <span class="bar-frame" aria-hidden="true">
            <i class={kind} style={placeIn(line, range)} />
          </span>
          <span class="took">
            {line.to > line.from ? duration(line.to - line.from) : `at ${duration(line.from - range.from)}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
