import { canonicalSchema, isDeeperThan } from "./json-schema.js";

/** The schemas of a tool, as the service shows them. */
export interface ToolSchemas {
  /** The tool's slug. */
  readonly slug: string;
  /** JSON Schema of the arguments. */
  readonly input_parameters: unknown;
  /** JSON Schema of the result. */
  readonly output_parameters: unknown;
}

/** Levels of objects and lists, two for each object within an object: far more than people write, and less than a stack holds. */
const DEEPEST = 1_000;

/**
 * The hash of a tool's schemas: `sha256-` and the base64 of SHA-256, as in package locks. Order of keys, of `required`, `type`
 * and `enum`, and of alternatives does not count, nor do descriptions, titles and examples: they change no caller.
 *
 * @throws {Error} naming a tool whose schemas are nested too deeply.
 */
export async function hashOf({ slug, input_parameters, output_parameters }: ToolSchemas): Promise<string> {
  if (isDeeperThan(DEEPEST, [input_parameters, output_parameters])) {
    throw new Error(
      `The schemas of ${slug} are nested more than ${DEEPEST} levels deep: too deep to be locked or compared. Leave its toolkit out.`,
    );
  }
  const text = `{"input_parameters":${canonicalSchema(input_parameters)},"output_parameters":${canonicalSchema(output_parameters)}}`;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
