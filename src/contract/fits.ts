import type * as z from "zod/mini";
import { compile, config, validate } from "zod/mini";

type Schema = z.core.$ZodType;

/** How often a schema was used; then what is used for it. */
const known = new WeakMap<Schema, number | Schema>();
/** Compiling takes some milliseconds, which a program that checks a few answers and ends would not get back. */
const USES_BEFORE_COMPILING = 20;
/** Asked once: a browser whose policy forbids code from texts reports every try. */
let mayCompile: boolean | undefined;

/** Whether a value fits. A schema that is used often is compiled for this, where the runtime allows it. */
export function fits(schema: Schema, value: unknown): boolean {
  const state = known.get(schema) ?? 0;
  if (typeof state !== "number") return validate(state, value);
  if (state < USES_BEFORE_COMPILING) {
    known.set(schema, state + 1);
  } else {
    mayCompile ??= allowsCode();
    known.set(schema, mayCompile ? compile(schema) : schema);
  }
  return validate(schema, value);
}

function allowsCode(): boolean {
  if (config().jitless) return false;
  try {
    return new Function("return true")() === true;
  } catch {
    return false;
  }
}
