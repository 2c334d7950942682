import * as z from "zod/mini";

type Schema = z.core.$ZodType;

/** How often a schema was used; then what is used for it. */
const known = new WeakMap<Schema, number | Schema>();
/** Compiling takes some milliseconds, which a program that checks a few answers and ends would not get back. */
const USES_BEFORE_COMPILING = 20;

/** Whether a value fits. A schema that is used often is compiled for this, where the runtime allows code from texts. */
export function fits(schema: Schema, value: unknown): boolean {
  const state = known.get(schema) ?? 0;
  if (typeof state !== "number") return z.validate(state, value);
  known.set(schema, state < USES_BEFORE_COMPILING ? state + 1 : compiled(schema));
  return z.validate(schema, value);
}

function compiled(schema: Schema): Schema {
  return z.core.util.allowsEval.value ? z.compile(schema) : schema;
}
