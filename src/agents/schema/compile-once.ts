import { isObject, type Json } from "../../shared/json.js";
import { type Compile, compilerOf } from "./compile.js";
import type { CompiledSchema, Target } from "./types.js";

/** As long as their schemas are in use. */
const compilers = new WeakMap<Json, Compile>();

/** The compiler of a schema that doesn't change. It compiles once for each target: copy its results. */
export function compilerOnce(schema: Json): Compile {
  const known = compilers.get(schema);
  if (known) return known;
  const compile = compilerOf(schema);
  const forms = new Map<Target, CompiledSchema>();
  const once: Compile = (target) => {
    const before = forms.get(target);
    if (before) return before;
    const form = compile(target);
    for (const note of form.notes) Object.freeze(note);
    Object.freeze(form.notes);
    forms.set(target, form);
    return form;
  };
  compilers.set(schema, once);
  return once;
}

/** A copy of a compiled schema, which a library may change. */
export function ownCopy(schema: Json): Json {
  const copy: Record<string, unknown> = { ...schema };
  for (const keyword of Object.keys(copy)) copy[keyword] = copied(copy[keyword]);
  return copy;
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  return isObject(value) ? ownCopy(value) : value;
}
