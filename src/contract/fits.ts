import type * as z from "zod/mini";
import { compile, config, validate } from "zod/mini";

type Schema = z.core.$ZodType;

/** How often a schema was used, then the schema to use in its place. */
const known = new WeakMap<Schema, number | Schema>();
/** Compiling takes milliseconds, which doesn't pay off in a program that checks only a few responses. */
const USES_BEFORE_COMPILING = 20;
/** Tested once, because a browser whose policy forbids code from strings reports every attempt. */
let mayCompile: boolean | undefined;

/** Whether a value matches. A frequent schema is compiled for this if the runtime allows it. */
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
