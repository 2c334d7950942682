import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { Mismatch } from "../errors/local.js";
import { checkableSchema } from "./checkable-schema.js";
import { toMismatches } from "./complaints.js";
import { wellFormed } from "./well-formed.js";

/** Schemas are checked against many times; what was prepared goes when its schema goes. */
const prepared = new WeakMap<object, Prepared>();

interface Prepared {
  readonly schema: unknown;
  readonly validator: Validator;
}

/**
 * Every place where a value does not fit a JSON Schema, whatever its draft. Holds paths and kinds, never values. Nothing is
 * generated or evaluated, so it runs where `eval` is forbidden.
 *
 * @throws {Error} for what is no schema: an unknown type, a reference that leads nowhere.
 */
export function mismatchesOfJsonSchema(schema: object, value: unknown): Mismatch[] {
  const { schema: checkable, validator } = prepare(schema);
  try {
    return toMismatches(located(validator.validate(value).errors), { schema: checkable, value });
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    // The validator writes where a value is as a URI, and half of a surrogate pair in a name cannot be part of one.
    const checked = wellFormed(value);
    return toMismatches(located(validator.validate(checked).errors), { schema: checkable, value: checked });
  }
}

function prepare(schema: object): Prepared {
  const known = prepared.get(schema);
  if (known) return known;
  const checkable = checkableSchema(wellFormed(schema));
  // The validator takes any JSON as a schema: what it does not know, it passes over.
  const fresh = { schema: checkable, validator: new Validator(checkable as Schema, "2020-12", false) };
  prepared.set(schema, fresh);
  return fresh;
}

/** The library says of a schema `false` where the value is, not where the keyword is; it follows the keyword it belongs to. */
function located(units: readonly OutputUnit[]): OutputUnit[] {
  return units.map((unit, index) =>
    unit.keyword === "false" ? { ...unit, keywordLocation: `${units[index - 1]?.keywordLocation ?? "#"}/false` } : unit,
  );
}
