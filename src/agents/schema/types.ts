import type { Json } from "../../shared/json.js";

/**
 * Which provider's dialect of JSON Schema to write.
 *
 * - `openai-strict`, `openai`: function tools of OpenAI with `strict: true` and `strict: false`.
 * - `anthropic-strict`, `anthropic`: tools of Anthropic with and without `strict: true`.
 * - `gemini`: `parametersJsonSchema` of a Gemini function declaration.
 * - `json-schema`: JSON Schema 2020-12, as MCP servers and the AI SDK accept it.
 * - `portable`: the part of JSON Schema that all of them accept, for when the provider isn't known.
 */
export type Target =
  | "openai-strict"
  | "openai"
  | "anthropic-strict"
  | "anthropic"
  | "gemini"
  | "json-schema"
  | "portable";

/**
 * The change that a note reports.
 *
 * - `described`: a constraint moved into the description. The compiled schema accepts values that break it.
 * - `untyped`: anything is accepted from here on, because a reference isn't found, a recursion was cut, or a part was
 *   too large.
 * - `annotated`: an annotation, such as a default, moved into the description.
 * - `reshaped`: the model writes the value in another shape, which `decode` undoes.
 * - `renamed`: the model uses another name, which `decode` undoes.
 * - `not-strict`: why the tool can't be strict.
 */
export type NoteKind = "described" | "untyped" | "annotated" | "reshaped" | "renamed" | "not-strict";

/** One difference between a schema and its compiled form. */
export interface Note {
  /** The argument, such as `issue.labels[].name`; an empty string for the arguments as a whole. */
  readonly path: string;
  /** The change to the schema at this place. */
  readonly kind: NoteKind;
  /** One sentence for developers. Starts with the keyword that caused the note, if there is one. */
  readonly message: string;
}

/** A tool's schema as a target accepts it, with the conversion of what a model writes. */
export interface CompiledSchema {
  /** A JSON Schema in the target's dialect. A fresh object on each compilation. */
  readonly schema: Json;
  /** Whether `strict: true` may be sent. If false, a strict target's schema is that of the plain one. */
  readonly strict: boolean;
  /** `widened` if the compiled schema accepts values that the original rejects. The notes list them. */
  readonly fidelity: "exact" | "widened";
  /** Everything whose meaning changed or that moved into words. */
  readonly notes: readonly Note[];
  /**
   * Converts what the model wrote to the tool's arguments. Doesn't change its argument and doesn't throw: what can't be
   * converted stays as it is, for the argument check to reject.
   */
  decode(args: unknown): unknown;
}

/** A tool to compile. */
export interface CompileInput {
  /** Unique among the tools. */
  readonly name: string;
  readonly description?: string | undefined;
  /** The JSON Schema of its arguments, in any draft. */
  readonly schema: unknown;
  /** Whether it can do harm. If a request can't have all its tools strict, these take precedence. @default false */
  readonly destructive?: boolean | undefined;
  /**
   * For a strict target: `true` if it must be strict, unless its schema can't be. `false` if it must not. Otherwise it
   * is strict if it can be.
   */
  readonly strict?: boolean | undefined;
}

/** A tool as a target accepts it. */
export interface CompiledTool extends CompiledSchema {
  /** The name to send: the original one if the target accepts it, otherwise an alias. */
  readonly name: string;
  /** The tool's own name, which the alias stands for. */
  readonly originalName: string;
  readonly description: string;
}
