import { type Part, parsePattern, UnsupportedPattern } from "../pattern-syntax.js";
import { spend } from "../step-limit.js";

/** A state of a machine: its condition for going on to `next`, and possibly to `other`. */
interface MachineState {
  readonly fits?: (codePoint: number) => boolean;
  readonly isMet?: (text: Text, at: number) => boolean;
  next: number;
  other: number;
}

/** A string as code points, and what is known about it. */
interface Text {
  readonly points: readonly number[];
  /** The matching places of each lookaround. */
  readonly lookarounds: Map<Machine, Uint8Array>;
}

/** States that read a string in one direction. State 0 means that it matched. */
interface Machine {
  readonly states: readonly MachineState[];
  readonly start: number;
  readonly isBackward: boolean;
}

const MATCHED = 0;
/** Each repetition of `{n,m}` has its own states. */
const MOST_STATES = 200_000;

/**
 * A pattern whose matching takes time proportional to its length times the string's length. It follows all ways to
 * match at the same time, code point by code point. JavaScript's own engine tries them one after another, which can
 * take years.
 */
export class Pattern {
  /** Number of states to keep. */
  readonly size: number;
  readonly #machine: Machine;

  /** @throws {UnsupportedPattern} with the reason. */
  constructor(source: string) {
    const size = { states: 0 };
    this.#machine = build(parsePattern(source), false, size);
    this.size = size.states;
  }

  /** Whether the pattern matches anywhere in the string. */
  matches(text: string): boolean {
    spend(text.length);
    const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    return places(this.#machine, { points, lookarounds: new Map() }, true).some(Boolean);
  }
}

/** @param size - The number of states of the pattern and its lookarounds. */
function build(part: Part, isBackward: boolean, size: { states: number }): Machine {
  const states: MachineState[] = [{ next: MATCHED, other: MATCHED }];
  const tests = new Map<string, (codePoint: number) => boolean>();
  const add = (state: MachineState): number => {
    spend(5);
    size.states += 1;
    if (size.states > MOST_STATES) throw new UnsupportedPattern("it is too large");
    return states.push(state) - 1;
  };
  /** The start state of a part that goes on to `next`. */
  const begin = (part: Part, next: number): number => {
    switch (part.kind) {
      case "character": {
        const fits = tests.get(part.source) ?? characterTest(part.source);
        tests.set(part.source, fits);
        return add({ fits, next, other: next });
      }
      case "sequence":
        return isBackward
          ? part.parts.reduce((after, inner) => begin(inner, after), next)
          : part.parts.reduceRight((after, inner) => begin(inner, after), next);
      case "choice":
        return part.parts.map((inner) => begin(inner, next)).reduceRight((other, start) => add({ next: start, other }));
      case "repeat":
        return repeat(part, next);
      case "edge":
        return add({ isMet: EDGES[part.at], next, other: next });
      case "lookaround": {
        const machine = build(part.part, !part.isBehind, size);
        const holds = (text: Text, at: number) => (placesOf(machine, text)[at] === 1) !== part.isNegative;
        return add({ isMet: holds, next, other: next });
      }
    }
  };
  const repeat = ({ part: inner, least, most }: Part & { kind: "repeat" }, next: number): number => {
    let start = next;
    if (most === Number.POSITIVE_INFINITY) {
      start = add({ next, other: next });
      const loop = states[start];
      if (loop) loop.next = begin(inner, start);
    } else {
      for (let count = least; count < most; count += 1) start = add({ next: begin(inner, start), other: next });
    }
    for (let count = 0; count < least; count += 1) {
      const before = begin(inner, start);
      // An empty part matches however often it is repeated.
      if (before === start) break;
      start = before;
    }
    return start;
  };
  return { start: begin(part, MATCHED), states, isBackward };
}

/** The places where a lookahead can start, or a lookbehind can end. */
function placesOf(machine: Machine, text: Text): Uint8Array {
  const known = text.lookarounds.get(machine) ?? places(machine, text, false);
  text.lookarounds.set(machine, known);
  return known;
}

/** The places where the machine matched, if it may start anywhere. */
function places({ states, start, isBackward }: Machine, text: Text, isOnce: boolean): Uint8Array {
  const { points } = text;
  const matched = new Uint8Array(points.length + 1);
  const step = isBackward ? -1 : 1;
  const end = isBackward ? 0 : points.length;
  /** Per state, the last place that entered it, plus one. */
  const entered = new Uint32Array(states.length);
  const isAnchored = !isBackward && states[start]?.isMet === EDGES["^"];
  let waiting: MachineState[] = [];
  for (let at = isBackward ? points.length : 0; ; at += step) {
    const point = points[isBackward ? at - 1 : at];
    const going = waiting.map(({ next }) => next);
    if (!isAnchored || at === 0) going.push(start);
    if (going.length === 0 && isOnce) return matched;
    waiting = [];
    spend(going.length);
    for (let index = going.pop(); index !== undefined; index = going.pop()) {
      const state = states[index];
      if (!state || entered[index] === at + 1) continue;
      entered[index] = at + 1;
      spend(1);
      if (index === MATCHED) matched[at] = 1;
      else if (state.fits) {
        if (point !== undefined && state.fits(point)) waiting.push(state);
      } else if (!state.isMet || state.isMet(text, at)) going.push(state.other, state.next);
    }
    if (at === end || (isOnce && matched[at] === 1)) return matched;
  }
}

const isWord = (point: number | undefined) => point !== undefined && /^\w$/.test(String.fromCodePoint(point));
const isWordEdge = ({ points }: Text, at: number) => isWord(points[at - 1]) !== isWord(points[at]);
const EDGES = {
  "^": (_text: Text, at: number) => at === 0,
  $: ({ points }: Text, at: number) => at === points.length,
  b: isWordEdge,
  B: (text: Text, at: number) => !isWordEdge(text, at),
};

/** JavaScript matches single characters, which needs no backtracking. */
function characterTest(source: string): (codePoint: number) => boolean {
  const only = [...source].length === 1 && source !== "." ? source.codePointAt(0) : undefined;
  if (only !== undefined) return (point) => point === only;
  const expression = new RegExp(`^(?:${source})$`, "u");
  /** 0: unknown, 1: no, 2: yes. */
  const known = new Uint8Array(128);
  return (point) => {
    if (point >= 128) return expression.test(String.fromCodePoint(point));
    if (known[point] === 0) known[point] = expression.test(String.fromCharCode(point)) ? 2 : 1;
    return known[point] === 2;
  };
}
