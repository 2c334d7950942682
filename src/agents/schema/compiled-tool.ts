import type { CompiledForm } from "../tools/compiled-forms.js";

export type { Note, NoteKind, Target } from "../tools/compiled-forms.js";

/** A tool's schema as a target accepts it, with the function that converts a model's arguments back. */
export interface CompiledSchema extends CompiledForm {
  /**
   * Converts the model's arguments to the tool's arguments. Doesn't change its input and doesn't throw. Values that
   * can't be converted are returned unchanged, and fail validation later.
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
  /**
   * Whether the tool can do harm. If a request can't have all tools strict, destructive tools take precedence. @default
   * false
   */
  readonly destructive?: boolean | undefined;
  /**
   * For a strict target: `true` if the tool must be strict, unless its schema can't be, `false` if it must not. By
   * default, it is strict if it can be.
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
