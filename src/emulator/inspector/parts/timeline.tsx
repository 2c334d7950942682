import type { ComponentChildren } from "preact";
import type { ShownRun } from "../api.js";
import { duration } from "../format.js";
import type { WaterfallLine } from "../lines.js";
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
  wait: "waits",
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
  // A short span at the end must stay visible.
  return { left: `min(${start * 100}%, 100% - 3px)`, width: `${(end - start) * 100}%` };
}

interface WaterfallProps {
  readonly lines: readonly WaterfallLine[];
  /** Below a turn's line of a call, its parts are indented. */
  readonly isPart?: (line: WaterfallLine) => boolean;
  readonly labelOf: (line: WaterfallLine) => ComponentChildren;
}

/** Lines one below the other, each with its part of the time, and with its start and length in words. */
export function Waterfall({ lines, isPart, labelOf }: WaterfallProps) {
  const range = rangeOfLines(lines);
  const whole = range.to - range.from;
  return (
    <>
      <p class="legend" aria-hidden="true">
        {Object.entries(LEGEND).map(
          ([kind, meaning]) =>
            lines.some((line) => line.kind === kind || line.spans?.some((span) => span.kind === kind)) && (
              <span key={kind}>
                <i class={kind} /> {meaning}
              </span>
            ),
        )}
      </p>
      <p class="axis" aria-hidden="true">
        <span class="ticks">
          <span>0</span>
          <span>{duration(whole / 2)}</span>
          <span>{duration(whole)}</span>
        </span>
      </p>
      <ol class="waterfall">
        {lines.map((line) => (
          <li key={line.key} class={isPart?.(line) ? "part" : undefined}>
            <span class="label">{labelOf(line)}</span>
            <span class="bar-frame" aria-hidden="true">
              {(line.spans ?? [line]).map((span) => (
                <i key={span.from} class={span.kind} style={placeIn(span, range)} />
              ))}
            </span>
            <span class="took">{line.to > line.from && duration(line.to - line.from)}</span>
            <span class="took at">at {startOf(line, range)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The meaning of each color. */
const LEGEND: Readonly<Record<WaterfallLine["kind"], string>> = {
  check: "Checks",
  wait: "Waits",
  run: "Runs",
  request: "Request",
};

function startOf({ from }: Range, range: Range): string {
  return from > range.from ? duration(from - range.from) : "0";
}

function rangeOfLines(lines: readonly WaterfallLine[]): Range {
  const from = lines.reduce((first, line) => Math.min(first, line.from), Number.POSITIVE_INFINITY);
  return { from, to: lines.reduce((latest, { to }) => Math.max(latest, to), from + 1) };
}
