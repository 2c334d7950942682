import { formatPath } from "../errors/mismatch-words.js";
import { isString, type Json, parseJson } from "../shared/json.js";
import { ConversationMemory } from "./conversation-memory.js";

/**
 * Where the value of an argument appears in an earlier result of the conversation, to show a person. This is a hint,
 * because a model can change a value, and only results that this process has seen are searched.
 */
export interface ArgumentOrigin {
  /** The argument, as in `recipients[0]`. */
  readonly argument: string;
  /** The tool whose result contains the value. */
  readonly tool: string;
  /** Where in the result, as in `messages[2].from`; empty if the result is a string. */
  readonly place: string;
}

/** The part of a call's result that is searched. */
interface SeenResult {
  readonly tool: { readonly name: string } | undefined;
  readonly status: string;
  /** As the model reads it. */
  readonly text: string;
}

/** Shorter values appear in many places by chance. */
const SHORTEST = 4;
/** The same for values that are a part of a longer one. */
const SHORTEST_PART = 8;
/** Characters of the results of a conversation that are kept. The oldest results are dropped first. */
const MOST_CHARACTERS = 100_000;
const MOST_CONVERSATIONS = 200;
/** Most values that count of a call or a result, objects and lists included. */
const MOST_VALUES = 10_000;
/** Most strings in which values of a call are looked for as a part. Otherwise a model could keep the process busy. */
const MOST_SEARCHED = 1_000_000;

/** The values in the calls and results of one conversation, in their order. */
export class ValueOrigins {
  /** Without a tool: what the model wrote, which results only repeat. */
  readonly #seen: {
    readonly tool: string | undefined;
    readonly values: ReadonlyMap<string, string>;
    readonly size: number;
  }[] = [];
  #size = 0;

  /** Adds a turn: the arguments that the model wrote, then the results. */
  record(written: readonly unknown[], results: readonly SeenResult[]): void {
    for (const args of written) this.#add(undefined, args);
    for (const { tool, status, text } of results) {
      // A call that may have run has no result.
      if (tool && (status === "succeeded" || status === "failed")) this.#add(tool.name, parseJson(text) ?? text);
    }
  }

  #add(tool: string | undefined, value: unknown): void {
    const values = new Map<string, string>();
    let size = 0;
    for (const [place, text] of valuesIn(value)) {
      size += text.length;
      if (size > MOST_CHARACTERS) break;
      // Of equal values, the first.
      if (!values.has(text)) values.set(text, place);
    }
    this.#seen.push({ tool, values, size });
    this.#size += size;
    while (this.#size > MOST_CHARACTERS) this.#size -= this.#seen.shift()?.size ?? this.#size;
  }

  /** The result in which each argument appeared first. What the model wrote before has none. */
  of(args: Json): ArgumentOrigin[] {
    const origins: ArgumentOrigin[] = [];
    let left = MOST_SEARCHED;
    for (const [argument, value] of valuesIn(args)) {
      if (value.length < SHORTEST) continue;
      for (const { tool, values } of this.#seen) {
        let place = values.get(value);
        if (place === undefined && value.length >= SHORTEST_PART && left > 0) {
          left -= values.size;
          place = placeOfPart(value, values);
        }
        if (place === undefined) continue;
        if (tool !== undefined) origins.push({ argument, tool, place });
        break;
      }
    }
    return origins;
  }
}

function placeOfPart(value: string, values: ReadonlyMap<string, string>): string | undefined {
  for (const [text, place] of values) if (text.includes(value)) return place;
  return undefined;
}

/** The strings and numbers in JSON, by their paths. Needs no recursion: a model may nest arguments deeply. */
export function* valuesIn(json: unknown): Generator<readonly [path: string, value: string]> {
  const left: (readonly [path: string, value: unknown])[] = [["", json]];
  for (let visited = 0; visited < MOST_VALUES; visited += 1) {
    const next = left.pop();
    if (!next) return;
    const [path, value] = next;
    if (isString(value) || typeof value === "number") yield [path, String(value)];
    if (typeof value !== "object" || value === null) continue;
    const members: [PropertyKey, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    for (const [name, member] of members.reverse()) left.push([formatPath([path, name]), member]);
  }
}

const conversations = new ConversationMemory(() => new ValueOrigins(), MOST_CONVERSATIONS);

/** The values of a conversation; of one toolset, if it has no conversation. */
export function originsOf(source: object, conversation: string | undefined): ValueOrigins {
  return conversations.of(source, conversation);
}
