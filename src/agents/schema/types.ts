import type { CompiledForm } from "../compiled-forms.js";

export type { Note, NoteKind, Target } from "../compiled-forms.js";

/** A tool's schema as a target accepts it, with the conversion of what a model writes. */
export interface CompiledSchema extends CompiledForm {
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
