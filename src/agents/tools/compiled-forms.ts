// The compiled schemas of tools, apart from what compiles them: a toolset reads and writes them as JSON.
import { isObject, isString, type Json } from "../../shared/json.js";
import type { AgentTool } from "../agent-tool.js";
import { ensure } from "../ensure.js";

/** Changes with each change of what is compiled: an older form doesn't fit what converts arguments now. */
const COMPILER = 1;

/**
 * Which provider's dialect of JSON Schema to write.
 *
 * - `openai-strict`, `openai`: function tools of OpenAI with `strict: true` and `strict: false`.
 * - `anthropic-strict`, `anthropic`: tools of Anthropic with and without `strict: true`.
 * - `gemini`: `parametersJsonSchema` of a Gemini function declaration.
 * - `json-schema`: JSON Schema 2020-12, as MCP servers and the AI SDK accept it.
 * - `portable`: the part of JSON Schema that all providers accept, if the provider isn't known.
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
 * - `not-strict`: the reason why the tool can't be strict.
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

/** A tool's schema as a target accepts it. */
export interface CompiledForm {
  /** A JSON Schema in the target's dialect. A fresh object on each compilation. */
  readonly schema: Json;
  /** Whether `strict: true` may be sent. If false, the schema is compiled for the plain target. */
  readonly strict: boolean;
  /** `widened` if the compiled schema accepts values that the original rejects. The notes list them. */
  readonly fidelity: "exact" | "widened";
  /** Every change of meaning, and every constraint that moved into a description. */
  readonly notes: readonly Note[];
}

/** Compiled schemas of a toolset, as JSON. */
export interface SerializedForms {
  /** The compiler that wrote them. A version of the package with another one compiles them again. */
  readonly compiler: number;
  /** A form for each tool and target. */
  readonly forms: readonly SerializedForm[];
}

/** The compiled schema of one tool for one target, as JSON. */
export interface SerializedForm extends CompiledForm {
  /** The tool's own name. */
  readonly tool: string;
  /** The target. */
  readonly target: Target;
}

/** By the tools' shared schemas. */
const known = new WeakMap<Json, Map<Target, CompiledForm>>();

/** The compiled forms of a shared schema. Compiling the schema for a target adds one. */
export function formsOf(schema: Json): Map<Target, CompiledForm> {
  const forms = known.get(schema) ?? new Map<Target, CompiledForm>();
  known.set(schema, forms);
  return forms;
}

/** The forms that were compiled so far; `undefined` without any. */
export function serializedForms(tools: readonly AgentTool[]): SerializedForms | undefined {
  const forms = tools.flatMap(({ name, parameters }) =>
    [...(known.get(parameters) ?? [])].map(([target, form]) => ({ tool: name, target, ...form })),
  );
  // A program may change what it gets.
  return forms.length === 0 ? undefined : structuredClone({ compiler: COMPILER, forms });
}

/**
 * Takes forms that were compiled before.
 *
 * @throws {ConfigError} if they aren't what {@link serializedForms} returned.
 */
export function restoreForms(tools: readonly AgentTool[], { compiler, forms }: SerializedForms): void {
  if (compiler !== COMPILER) return;
  const schemas = new Map(tools.map(({ name, parameters }) => [name, parameters]));
  for (const { tool, target, ...form } of forms) {
    ensure(isForm(form), `from has no compiled schema of ${tool} for ${target}. Write the toolset again.`);
    const schema = schemas.get(tool);
    // A program may change what it passed.
    if (schema) formsOf(schema).set(target, JSON.parse(JSON.stringify(form)));
  }
}

const isForm = ({ schema, strict, fidelity, notes }: Partial<CompiledForm>): boolean =>
  isObject(schema) && typeof strict === "boolean" && isString(fidelity) && Array.isArray(notes);
