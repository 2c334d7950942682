import { compile } from "json-schema-to-typescript";
import { escapeHidden } from "../hidden-text.js";
import { format } from "./format.js";
import { prepareSchema } from "./prepare-schema.js";

/** The type declarations that a JSON Schema describes. */
export interface SchemaTypes {
  /** `name` itself and what it is made of, as they stand in a namespace. */
  readonly declarations: string;
  /** False where the schema could not be read and anything fits instead. */
  readonly isComplete: boolean;
}

/**
 * Turns a JSON Schema into TypeScript declarations: that of `name`, and those of the definitions it refers to.
 *
 * Anything may be given: what says nothing about types becomes `unknown`.
 */
export async function schemaTypes(schema: unknown, name: string, isInput: boolean): Promise<SchemaTypes> {
  try {
    const declarations = await compile(prepareSchema(schema, name, isInput), name, {
      bannerComment: "",
      format: false,
      // An object that says nothing about further properties takes none in an editor, so that misspelt ones are seen.
      additionalProperties: false,
      strictIndexSignatures: false,
      $refOptions: { resolve: { external: false } },
    });
    // Comments hold nothing hidden any more; names and values must stay what they are.
    return { declarations: escapeHidden(format(declarations, 1)), isComplete: true };
  } catch {
    return { declarations: format(`export interface ${name} {\n[k: string]: unknown\n}`, 1), isComplete: false };
  }
}
