import type { Mismatch } from "../errors/local.js";
import { field, isObject, isString, type Json } from "../shared/json.js";
import { ensure } from "./ensure.js";
import type { RunnableTool, ToolContext } from "./tool.js";

/** The part of Standard Schema that is used: Zod 4.2, ArkType and Valibot have it. */
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

/** Your own tool: a schema and a function. */
export interface OwnTool {
  /** The name the model calls it by. */
  readonly name: string;
  /** The description the model reads. */
  readonly description: string;
  /** JSON Schema of the arguments, or a schema that converts to one: Zod 4.2, for example. */
  readonly parameters: object;
  /** Hints such as `readOnlyHint`. */
  readonly tags?: readonly string[] | undefined;
  /**
   * Runs it. The model reads what it returns as JSON, and the message of what it throws. A call that threw is
   * `unknown`, since it may have had an effect, and doesn't run again.
   */
  execute(args: Json, context: ToolContext): unknown;
}

/** Your own tool, whose function takes its schema's output. */
export interface TypedTool<Schema extends StandardJsonSchema> extends Omit<OwnTool, "parameters" | "execute"> {
  /** Schema of the arguments. */
  readonly parameters: Schema;
  /** Runs it. The model reads what it returns as JSON, and the message of what it throws. */
  execute(args: OutputOf<Schema>, context: ToolContext): unknown;
}

/** The output type of a schema. */
export type OutputOf<Schema extends StandardJsonSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/** Defines your own tool. With a Standard Schema, the function's arguments have its type. */
export function tool<Schema extends StandardJsonSchema>(definition: TypedTool<Schema>): OwnTool;
export function tool(definition: OwnTool): OwnTool;
export function tool(definition: OwnTool): OwnTool {
  return definition;
}

/** @throws {ConfigError} if the schema isn't one. */
export function runnableOwnTool(own: OwnTool): RunnableTool {
  const { name, description, parameters, tags = [] }: OwnTool = Object(own);
  ensure(name && isString(name), "tools must be slugs, or have names.");
  const standard = isStandard(parameters) ? parameters["~standard"] : undefined;
  const problem = `the parameters of ${name} aren't JSON Schema or Zod 4.2.`;
  let schema: object = parameters;
  try {
    if (standard) schema = standard.jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    // Dates, for example, have no JSON Schema.
    ensure(false, `${problem} ${error}`);
  }
  // Older schemas of Zod and others can't be converted; taken as JSON Schema, they would allow everything.
  ensure(isObject(schema) && (standard || !("~standard" in schema || "parse" in schema)), problem);
  ensure(typeof own.execute === "function", `${name} has no execute().`);
  return {
    tool: {
      name,
      description,
      parameters: schema,
      tags: [...tags],
      kind: "own",
      toolkit: undefined,
      version: undefined,
    },
    schema,
    check:
      standard &&
      (async (value) => {
        const { issues = [] } = await standard.validate(value);
        return issues.map(toMismatch);
      }),
    execute: async (args, facts, limits) => {
      // With a Standard Schema, the function takes its output: defaults applied, for example.
      const given = standard ? (await standard.validate(args)).value : args;
      return own.execute(given as Json, { ...facts, ...limits });
    },
  };
}

function isStandard(schema: object): schema is StandardJsonSchema {
  return field(field(schema, "~standard"), "jsonSchema") !== undefined;
}

function toMismatch({ message, path = [] }: { message: string; path?: readonly unknown[] | undefined }): Mismatch {
  const steps = path.map((step) => field(step, "key") ?? step);
  return { path: steps.join("."), expected: message, received: "another value" };
}
