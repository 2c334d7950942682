import type { Json } from "../../shared/json.js";
import type { ToolContext } from "../agent-tool.js";

/** The part of Standard Schema that a toolset uses: Zod 4.2, ArkType and Valibot have it. */
export interface StandardJsonSchema {
  /** The schema as Standard Schema defines it. */
  readonly "~standard": {
    readonly types?: { readonly output: unknown } | undefined;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => object };
  };
}

interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] | undefined;
}

/** A JSON Schema of an object: `{ type: "object", properties: {} }`. */
export interface ObjectSchema {
  /** `"object"`. */
  readonly type: string;
  readonly [keyword: string]: unknown;
}

/** A local tool: a schema and a function. */
export interface LocalTool {
  /** The name the model calls it by. */
  readonly name: string;
  /** The description the model reads. */
  readonly description: string;
  /** JSON Schema of the arguments, or a schema that converts to one: Zod 4.2, for example. */
  readonly parameters: ObjectSchema | StandardJsonSchema;
  /** JSON Schema of the object that `execute` returns, for MCP clients and for programs of a model. */
  readonly output?: object | undefined;
  /** Hints such as `readOnlyHint`. */
  readonly tags?: readonly string[] | undefined;
  /**
   * Runs the tool. The model reads the returned value as JSON, or the message of a thrown error. A call that threw is
   * `unknown` and doesn't run again, because it may have had an effect.
   */
  execute(args: Json, context: ToolContext): unknown;
}

/** A local tool, whose function takes its schema's output. */
export interface TypedTool<Schema extends StandardJsonSchema> extends Omit<LocalTool, "parameters" | "execute"> {
  /** Schema of the arguments. */
  readonly parameters: Schema;
  /** Runs the tool. The model reads the returned value as JSON, or the message of a thrown error. */
  execute(args: OutputOf<Schema>, context: ToolContext): unknown;
}

/** The output type of a schema. */
export type OutputOf<Schema extends StandardJsonSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/** Defines a local tool. With a Standard Schema, the function's arguments have its type. */
export function tool<Schema extends StandardJsonSchema>(definition: TypedTool<Schema>): LocalTool;
export function tool(definition: LocalTool): LocalTool;
export function tool(definition: LocalTool): LocalTool {
  return definition;
}
