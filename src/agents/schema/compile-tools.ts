import { ensure } from "../ensure.js";
import { type Compile, compilerOf, notStrict, plainInstead } from "./compile.js";
import { ANTHROPIC_BUDGET, type Counts, countsOf, excess } from "./limits.js";
import { aliasesFor } from "./names.js";
import { DIALECTS } from "./targets.js";
import type { CompiledSchema, CompiledTool, CompileOptions, Target, ToolToCompile } from "./types.js";

/**
 * Compiles the tools of one request. Names that the target rejects get an alias, which follows from the name alone
 * unless it collides.
 *
 * Anthropic limits the strict schemas of a request together. They go to destructive tools first, then to those with few
 * optional properties; the others are compiled for the plain target. Tools with `strict: true` come before all.
 *
 * @throws {ConfigError} if Anthropic doesn't take all tools with `strict: true`.
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
    const { name = "", description = "", strict } = tools[index] ?? {};
    const isPlain = strict === false || chosen?.has(index) === false;
    const other = plain && own.strict && isPlain ? compilers[index]?.(plain) : undefined;
    const schema = other ? plainInstead(other, [notStrict(strict === false ? NOT_CHOSEN : OVER)]) : own;
    return { ...schema, name: aliases.aliasOf(name), originalName: name, description };
  });
}

const NOT_CHOSEN = "The program chose other tools.";
const OVER = `A request may have ${ANTHROPIC_BUDGET.tools} strict tools, ${ANTHROPIC_BUDGET.optionals} optional properties and ${ANTHROPIC_BUDGET.unions} properties of several types in them. Other tools came first.`;

/** The tools that the budget of a request is spent on. */
function affordable(tools: readonly ToolToCompile[], compiled: readonly CompiledSchema[]): ReadonlySet<number> {
  const chosen = new Set<number>();
  let spent = { optionals: 0, unions: 0 };
  const candidates = compiled
    .flatMap(({ schema, strict }, index) => {
      const { name = "", destructive = false, strict: wanted } = tools[index] ?? {};
      const isNamed = wanted === true;
      return strict && wanted !== false ? [{ index, name, destructive, isNamed, counts: countsOf(schema) }] : [];
    })
    .sort(
      (one, other) =>
        Number(other.isNamed) - Number(one.isNamed) ||
        Number(other.destructive) - Number(one.destructive) ||
        one.counts.optionals - other.counts.optionals ||
        (one.name < other.name ? -1 : 1),
    );
  for (const { index, isNamed, counts } of candidates) {
    const next = { optionals: spent.optionals + counts.optionals, unions: spent.unions + counts.unions };
    const isOver = chosen.size >= ANTHROPIC_BUDGET.tools || excess("anthropic-strict", next) !== undefined;
    if (isOver && isNamed) ensure(false, tooManyNamed(candidates.filter(({ isNamed }) => isNamed)));
    if (isOver) continue;
    chosen.add(index);
    spent = next;
  }
  return chosen;
}

function tooManyNamed(named: readonly { readonly counts: Counts }[]): string {
  const sum = (of: "optionals" | "unions") => named.reduce((total, { counts }) => total + counts[of], 0);
  const { tools, optionals, unions } = ANTHROPIC_BUDGET;
  return `strict chooses ${named.length} tools with ${sum("optionals")} optional properties and ${sum("unions")} of several types. Anthropic takes ${tools}, ${optionals} and ${unions} in a request. Choose fewer.`;
}
