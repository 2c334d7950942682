import type { Node } from "../../json-schema/node.js";
import type { Resolve } from "../../json-schema/references.js";
import type { Json } from "../../shared/json.js";
import type { Aliases, Dialect } from "./targets.js";
import type { Note, NoteKind } from "./types.js";

/** One place in a schema that is being written. */
export interface Place {
  readonly path: string;
  /** The nodes around it, outermost first, with whether each is below an optional property of the one before. */
  readonly trail: readonly { readonly node: Node; readonly isOptional: boolean }[];
  readonly isOptional: boolean;
  /** Whether it is below branches that look alike, so values can't be reshaped. */
  readonly isCrowded: boolean;
}

/** Maximum schema objects that are written in place. Further ones are shared or opened. */
const BUDGET = 1_500;
/** Schemas nested deeper than this are opened. */
export const DEEPEST_SCHEMA = 60;

/** State of one compilation while it writes a schema. */
export type Writing = ReturnType<typeof writingFor>;

export function writingFor(dialect: Dialect, aliases: Aliases, resolve: Resolve, maxDepth: number) {
  const notes = new Map<string, Note>();
  /** The parts in `$defs` and what was written of them. */
  const definitions = new Map<unknown, { readonly name: string; body?: Json }>();
  let left = BUDGET;
  let widenings = 0;
  /** Adds a note, once. */
  const note = (path: string, kind: NoteKind, message: string): void => {
    if (kind === "described" || kind === "opened") widenings += 1;
    notes.set(JSON.stringify([path, kind, message]), { path, kind, message });
  };
  return {
    dialect,
    aliases,
    resolve,
    maxDepth,
    definitions,
    note,
    notStrict: ({ path }: Place, reason: string): void => {
      if (dialect.plain) note(path, "not-strict", `${reason}.`);
    },
    /** How often something was accepted that the original rejects. */
    get widenings() {
      return widenings;
    },
    get notes(): readonly Note[] {
      return [...notes.values()];
    },
    /** Takes one schema object from the budget; false if the budget is used up. */
    spend: () => left-- > 0,
    get isSpent() {
      return left <= 0;
    },
    /** The name in `$defs` under which a recursive or large part is written. */
    define: (part: unknown): string => {
      const { name } = definitions.get(part) ?? { name: `shared${definitions.size + 1}` };
      if (!definitions.has(part)) definitions.set(part, { name });
      return name;
    },
  };
}

/** Writes the parts that references point to, each once. */
export function definitionsOf({ definitions }: Writing, write: (part: unknown) => Json): Json {
  for (const [part, definition] of definitions) definition.body ??= write(part);
  const written = [...definitions.values()].map(({ name, body }) => [name, body ?? {}]);
  return written.length > 0 ? { $defs: Object.fromEntries(written) } : {};
}

/** Names that could be read as something else are quoted: `issue["a.b"]`. */
export function memberPath(path: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
export const itemPath = (path: string) => `${path}[]`;
export const valuePath = (path: string) => (path === "" ? "*" : `${path}.*`);

/** An object with these properties, all of them required, and no others. */
export function closedObject(properties: Json): Json {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** A map as a list, for targets that only take closed objects. */
export function listOfEntries(value: Json): Json {
  return { type: "array", items: closedObject({ key: { type: "string" }, value }) };
}

/** A schema with words before its description. */
export function described(schema: Json, words: string): Json {
  if (schema["description"] === undefined && words === "") return schema;
  const { description, ...rest } = schema;
  const text = [words, description].filter((part) => part !== undefined && part !== "").join(" ");
  if (text === "") return rest;
  // OpenAI rejects what is next to a reference.
  return rest["$ref"] === undefined ? { ...rest, description: text } : { anyOf: [rest], description: text };
}
