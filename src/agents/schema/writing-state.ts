import type { SchemaNode } from "../../json-schema/node.js";
import type { Resolve } from "../../json-schema/references.js";
import type { Json } from "../../shared/json.js";
import type { Aliases } from "./aliases.js";
import type { Note, NoteKind } from "./compiled-tool.js";
import { type Dialect, isStrict } from "./targets.js";

/** One place in a schema that is being written. */
export interface WritingPlace {
  readonly path: string;
  /** The nodes around it, outermost first, with whether each is below an optional property of the one before. */
  readonly trail: readonly { readonly node: SchemaNode; readonly isOptional: boolean }[];
  readonly isOptional: boolean;
  /** Whether nothing is around it: the arguments, or the body of a definition. */
  readonly isRoot: boolean;
  /** Whether it is below branches that look alike, so values can't be reshaped. */
  readonly isCrowded: boolean;
}

/** Maximum schema objects that are written in place. Further ones are shared or untyped. */
const BUDGET = 1_500;
/** Schemas nested deeper than this are untyped. */
export const DEEPEST_SCHEMA = 60;

/** State of one compilation while it writes a schema: what it may write, its notes, and the parts in `$defs`. */
export class WritingState {
  readonly dialect: Dialect;
  readonly aliases: Aliases;
  readonly resolve: Resolve;
  /** How many levels of a recursive schema are written out. */
  readonly maxDepth: number;
  readonly #notes = new Map<string, Note>();
  /** The parts in `$defs` and what was written of them. */
  readonly #definitions = new Map<unknown, { readonly name: string; body?: Json }>();
  #left = BUDGET;
  #widenings = 0;

  constructor(dialect: Dialect, aliases: Aliases, resolve: Resolve, maxDepth: number) {
    this.dialect = dialect;
    this.aliases = aliases;
    this.resolve = resolve;
    this.maxDepth = maxDepth;
  }

  get notes(): readonly Note[] {
    return [...this.#notes.values()];
  }

  /** Writes a part. Returns whether something is accepted in it that the original rejects. */
  widens(write: () => void): boolean {
    const before = this.#widenings;
    write();
    return this.#widenings > before;
  }

  /** Whether the schema has as many objects as are written in place. */
  get isFull(): boolean {
    return this.#left <= 0;
  }

  /** Takes one schema object from the budget; false if the budget is used up. */
  takeObject(): boolean {
    return this.#left-- > 0;
  }

  /** Adds a note, once. */
  note(path: string, kind: NoteKind, message: string): void {
    if (isWidening({ kind })) this.#widenings += 1;
    this.#notes.set(`${path}\0${kind}\0${message}`, { path, kind, message });
  }

  /** The model's name of a property. Notes it if it is another one. */
  aliasAt(path: string, name: string): string {
    const alias = this.aliases.aliasOf(name);
    if (alias !== name) this.note(path, "renamed", `The model calls it ${alias}.`);
    return alias;
  }

  /** Notes why a schema can't be strict, if that is asked for. */
  notStrict(path: string, reason: string): void {
    if (isStrict(this.dialect)) this.note(path, "not-strict", `${reason}.`);
  }

  /** Notes where anything is accepted. */
  untyped(path: string, reason: string): void {
    this.note(path, "untyped", `${reason}. Anything is accepted there.`);
  }

  /** The name in `$defs` under which a recursive or large part is written. */
  define(part: unknown): string {
    const { name } = this.#definitions.get(part) ?? { name: `shared${this.#definitions.size + 1}` };
    if (!this.#definitions.has(part)) this.#definitions.set(part, { name });
    return name;
  }

  /** Writes a part that has a definition. The first time counts. */
  writeDefinition(part: unknown, body: Json): string | undefined {
    const definition = this.#definitions.get(part);
    if (definition) definition.body ??= body;
    return definition?.name;
  }

  /** The parts that references point to, each written once. */
  definitions(write: (part: unknown) => Json): Json {
    for (const [part, definition] of this.#definitions) definition.body ??= write(part);
    const written = [...this.#definitions.values()].map(({ name, body }) => [name, body ?? {}]);
    return written.length > 0 ? { $defs: Object.fromEntries(written) } : {};
  }
}

/** Whether a note means that the compiled schema accepts values that the original rejects. */
export function isWidening({ kind }: Pick<Note, "kind">): boolean {
  return kind === "described" || kind === "untyped";
}

/** A reference to a part in `$defs`. */
export const referenceTo = (name: string): Json => ({ $ref: `#/$defs/${name}` });

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

/** A schema with words before its description. */
export function describedSchema(schema: Json, words: string): Json {
  if (schema["description"] === undefined && words === "") return schema;
  const { description, ...rest } = schema;
  const text = [words, description].filter((part) => part !== undefined && part !== "").join(" ");
  if (text === "") return rest;
  // OpenAI rejects what is next to a reference.
  return rest["$ref"] === undefined ? { ...rest, description: text } : { anyOf: [rest], description: text };
}
