import type { Json } from "../../shared/json.js";

/**
 * A JSON Schema for libraries that check arguments themselves. It accepts every value, so that the toolset restores the
 * arguments, checks them and reports to the model what is wrong.
 */
export interface PassthroughSchema {
  /** The schema as Standard Schema defines it, with its JSON Schema. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "svc-sdk";
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: (options: object) => Record<string, unknown>;
      readonly output: (options: object) => Record<string, unknown>;
    };
  };
}

/** Marks a schema that the AI SDK and Mastra keep untouched. */
const AI_SDK_SCHEMA = Symbol.for("vercel.ai.schema");

export function passthroughSchema(schema: Json): PassthroughSchema {
  // Libraries change the object that they get.
  const copy = () => structuredClone({ ...schema });
  const accepting = {
    "~standard": {
      version: 1,
      vendor: "svc-sdk",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
    [AI_SDK_SCHEMA]: true,
    get jsonSchema() {
      return copy();
    },
    validate: (value: unknown) => ({ success: true, value }),
  } as const;
  return accepting;
}
