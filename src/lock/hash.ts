import { canonicalSchema } from "./json-schema.js";

/** The schemas of a tool, as the service shows them. */
export interface ToolSchemas {
  /** JSON Schema of the arguments. */
  readonly input_parameters: unknown;
  /** JSON Schema of the result. */
  readonly output_parameters: unknown;
}

/**
 * The hash of a tool's schemas: `sha256-` and the base64 of SHA-256, as in package locks. Order of keys, of `required`, `type`
 * and `enum`, and of alternatives does not count, nor do descriptions, titles and examples: they change no caller.
 */
export async function hashOf({ input_parameters, output_parameters }: ToolSchemas): Promise<string> {
  const text = `{"input_parameters":${canonicalSchema(input_parameters)},"output_parameters":${canonicalSchema(output_parameters)}}`;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
