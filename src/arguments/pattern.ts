import { type Part, parsePattern, RefusedPattern } from "./pattern-syntax.js";
import type { Work } from "./work.js";

/** A place in a machine: what it needs before it goes on to `next`, and possibly to `other` as well. */
interface State {
  readonly fits?: (codePoint: number) => boolean;
  readonly holds?: (text: Text, at: number) => boolean;
  next: number;
  other: number;
}

/** A text as its code points, and what was found out about it. */
interface Text {
  readonly points: readonly number[];
  readonly work: Work;
  /** For each part that looks ahead or behind: where it matches. */
  readonly looks: Map<Machine, Uint8Array>;
}

/** States that read a text in one direction. The last one says that it matched. */
interface Machine {
  readonly states: readonly State[];
  readonly start: number;
  readonly isBackward: boolean;
}

const MATCHED = 0;
/** Each repetition of `{n,m}` has states of its own. */
const MOST_STATES = 200_000;

/**
 * A pattern that takes time in proportion to its own length times that of the text, whatever it is: all ways to match are followed
 * at once, code point by code point. JavaScript's own engine tries them one after another, which can take years.
 */
export class Pattern {
  /** How many states there are to keep. */
  readonly size: number;
  readonly #machine: Machine;

  /** @throws {RefusedPattern} with the reason. */
  constructor(source: string, work: Work) {
    const size = { states: 0 };
    this.#machine = build(parsePattern(source), false, { work, size });
    this.size = size.states;
  }

  /** Whether the pattern matches anywhere in the text. */
  matches(text: string, work: Work): boolean {
    work.spend(text.length);
    const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    return places(this.#machine, { points, work, looks: new Map() }, true).some(Boolean);
  }
}

/** What building may take. */
interface Room {
  readonly work: Work;
  /** Counts the states of the pattern, with those of its lookarounds. */
  readonly size: { states: number };
}

function build(part: Part, isBackward: boolean, room: Room): Machine {
  const states: State[] = [{ next: MATCHED, other: MATCHED }];
  const tests = new Map<string, (codePoint: number) => boolean>();
  const add = (state: State): number => {
    room.work.spend(5);
    room.size.states += 1;
    if (room.size.states > MOST_STATES) throw new RefusedPattern("it is too large");
    return states.push(state) - 1;
  };
  /** The state in which a part begins that goes on to `next`. */
  const begin = (one: Part, next: number): number => {
    switch (one.kind) {
      case "character": {
        const fits = tests.get(one.source) ?? characterTest(one.source);
        tests.set(one.source, fits);
        return add({ fits, next, other: next });
      }
      case "sequence":
        return isBackward
          ? one.parts.reduce((after, inner) => begin(inner, after), next)
          : one.parts.reduceRight((after, inner) => begin(inner, after), next);
      case "choice":
        return one.parts.map((inner) => begin(inner, next)).reduceRight((other, start) => add({ next: start, other }));
      case "repeat":
        return repeat(one, next);
      case "edge":
        return add({ holds: EDGES[one.at], next, other: next });
      case "look": {
        const machine = build(one.part, !one.isBehind, room);
        const holds = (text: Text, at: number) => (placesOf(machine, text)[at] === 1) !== one.isNegative;
        return add({ holds, next, other: next });
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
      // It needs no character, however often it comes.
      if (before === start) break;
      start = before;
    }
    return start;
  };
  return { start: begin(part, MATCHED), states, isBackward };
}

/** Where a part that looks ahead begins to match, or one that looks behind ends. */
function placesOf(machine: Machine, text: Text): Uint8Array {
  const known = text.looks.get(machine) ?? places(machine, text, false);
  text.looks.set(machine, known);
  return known;
}

/** The places at which the machine matched, when it may begin anywhere. */
function places({ states, start, isBackward }: Machine, text: Text, isOnce: boolean): Uint8Array {
  const { points, work } = text;
  const matched = new Uint8Array(points.length + 1);
  const step = isBackward ? -1 : 1;
  const end = isBackward ? 0 : points.length;
  /** For each state, the place for which it was entered last, plus one. */
  const entered = new Uint32Array(states.length);
  const isAnchored = !isBackward && states[start]?.holds === EDGES["^"];
  let waiting: State[] = [];
  for (let at = isBackward ? points.length : 0; ; at += step) {
    const point = points[isBackward ? at - 1 : at];
    const going = waiting.map(({ next }) => next);
    if (!isAnchored || at === 0) going.push(start);
    if (going.length === 0 && isOnce) return matched;
    waiting = [];
    work.spend(going.length);
    for (let index = going.pop(); index !== undefined; index = going.pop()) {
      const state = states[index];
      if (!state || entered[index] === at + 1) continue;
      entered[index] = at + 1;
      work.spend(1);
      if (index === MATCHED) matched[at] = 1;
      else if (state.fits) {
        if (point !== undefined && state.fits(point)) waiting.push(state);
      } else if (!state.holds || state.holds(text, at)) going.push(state.other, state.next);
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

/** Whether one character fits is left to JavaScript, which then has nothing to try twice. */
function characterTest(source: string): (codePoint: number) => boolean {
  const only = [...source].length === 1 && source !== "." ? source.codePointAt(0) : undefined;
  if (only !== undefined) return (point) => point === only;
  const expression = new RegExp(`^(?:${source})$`, "u");
  /** 0: not asked yet, 1: no, 2: yes. */
  const known = new Uint8Array(128);
  return (point) => {
    if (point >= 128) return expression.test(String.fromCodePoint(point));
    if (known[point] === 0) known[point] = expression.test(String.fromCharCode(point)) ? 2 : 1;
    return known[point] === 2;
  };
}
