import { type Compile, compilerOf, notStrict, plainInstead } from "./compile.js";
import { ANTHROPIC_BUDGET, countsOf, tooMuchForAnthropic } from "./limits.js";
import { aliasesFor } from "./names.js";
import { DIALECTS } from "./targets.js";
import type { CompiledSchema, CompiledTool, CompileOptions, Target, ToolToCompile } from "./types.js";

/**
 * Compiles the tools of one request. Names that the target rejects get an alias, which follows from the name alone
 * unless it collides.
 *
 * Anthropic limits the strict schemas of a request together. They go to destructive tools first, then to those with few
 * optional properties; the others are compiled for the plain target.
 */
export function compileTools(
  tools: readonly ToolToCompile[],
  target: Target,
  options: CompileOptions = {},
): readonly CompiledTool[] {
  return compileWith(
    tools.map(({ schema }) => compilerOf(schema, options)),
    tools,
    target,
  );
}

/** Compiles the tools of one request with the compilers of their schemas. */
export function compileWith(
  compilers: readonly Compile[],
  tools: readonly ToolToCompile[],
  target: Target,
): readonly CompiledTool[] {
  const { toolNames, plain } = DIALECTS[target];
  const aliases = aliasesFor(
    tools.map(({ name }) => name),
    toolNames,
  );
  const compiled = compilers.map((compile) => compile(target));
  const chosen = target === "anthropic-strict" ? affordable(tools, compiled) : undefined;
  return compiled.map((own, index): CompiledTool => {
    const { name = "", description = "" } = tools[index] ?? {};
    const over = plain && own.strict && chosen && !chosen.has(index) ? compilers[index]?.(plain) : undefined;
    const schema = over ? plainInstead(over, [notStrict(OVER)]) : own;
    return { ...schema, name: aliases.aliasOf(name), originalName: name, description };
  });
}

const OVER = `A request may have ${ANTHROPIC_BUDGET.tools} strict tools, ${ANTHROPIC_BUDGET.optionals} optional properties and ${ANTHROPIC_BUDGET.unions} properties of several types in them. Other tools came first.`;

/** The tools that the budget of a request is spent on. */
function affordable(tools: readonly ToolToCompile[], compiled: readonly CompiledSchema[]): ReadonlySet<number> {
  const chosen = new Set<number>();
  let spent = { optionals: 0, unions: 0 };
  const candidates = compiled
    .map(({ schema, strict }, index) => ({
      index,
      strict,
      counts: countsOf(schema),
      isHarmful: tools[index]?.destructive === true,
    }))
    .filter(({ strict }) => strict)
    .sort(
      (one, other) => Number(other.isHarmful) - Number(one.isHarmful) || one.counts.optionals - other.counts.optionals,
    );
  for (const { index, counts } of candidates) {
    const next = { optionals: spent.optionals + counts.optionals, unions: spent.unions + counts.unions };
    if (chosen.size >= ANTHROPIC_BUDGET.tools || tooMuchForAnthropic(next) !== undefined) continue;
    chosen.add(index);
    spent = next;
  }
  return chosen;
}
