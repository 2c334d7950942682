import type { Json } from "../../shared/json.js";
import { type CompiledForm, formsOf } from "../tools/compiled-forms.js";
import { type Compile, compilerOf } from "./compile.js";
import type { CompiledSchema, Target } from "./compiled-tool.js";

/** By their schemas, for as long as these are in use. */
const compilers = new WeakMap<Json, CachedCompiler>();

/** The compiler of a schema that doesn't change. It compiles once for each target: copy its results. */
export function cachedCompilerOf(schema: Json): Compile {
  const compiler = compilers.get(schema) ?? new CachedCompiler(schema);
  compilers.set(schema, compiler);
  return (target) => compiler.compile(target);
}

/** The compiled schemas of one schema, by target. */
class CachedCompiler {
  readonly #schema: Json;
  /** The forms that a toolset writes as JSON. An earlier process may have compiled some of them. */
  readonly #forms: Map<Target, CompiledForm>;
  readonly #results = new Map<Target, CompiledSchema>();
  #compiler: Compile | undefined;

  constructor(schema: Json) {
    this.#schema = schema;
    this.#forms = formsOf(schema);
  }

  compile(target: Target): CompiledSchema {
    const form = this.#forms.get(target);
    const result = this.#results.get(target) ?? (form ? this.#restored(form, target) : this.#compileNow(target));
    this.#results.set(target, result);
    return result;
  }

  #compileNow(target: Target): CompiledSchema {
    this.#compiler ??= compilerOf(this.#schema);
    const { decode, ...form } = this.#compiler(target);
    this.#forms.set(target, form);
    return { ...form, decode };
  }

  /** A form that was compiled earlier. What converts arguments is compiled when the tool is called. */
  #restored(form: CompiledForm, target: Target): CompiledSchema {
    let compiled: CompiledSchema | undefined;
    return {
      ...form,
      decode: (args) => {
        compiled ??= this.#compileNow(target);
        return compiled.decode(args);
      },
    };
  }
}
