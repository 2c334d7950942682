// The room of the compiler: it writes a tool's schema in a form that a provider accepts, and decodes what a model wrote
// into the original form. It imports `tools`, and `src/json-schema`, which reads schemas. Start here, then
// `compile.ts`.

import { mapMembers } from "../../shared/json.js";
import { bytesOf, tokensIn } from "../../shared/text-size.js";
import type { AgentTool } from "../agent-tool.js";
import type { RunCalls } from "../call-result.js";
import { ensure } from "../ensure.js";
import { isShared, sharedSchema } from "../tools/shared-schema.js";
import type { Toolset } from "../toolset.js";
import { aliasesFor } from "./aliases.js";
import { cachedCompilerOf } from "./cached-compiler.js";
import { type Compile, compilerOf, notStrict, plainInstead } from "./compile.js";
import type { CompiledSchema, CompiledTool, CompileInput, Target } from "./compiled-tool.js";
import { ANTHROPIC_BUDGET, type Counts, countsOf, excess } from "./limits.js";
import { checkTarget, DIALECTS } from "./targets.js";

/** Tools in the form that a model's library takes, and the way their calls are run. */
export interface CompiledToolset {
  /** The tools, sorted by name: providers cache a request up to the first difference. */
  readonly tools: readonly CompiledTool[];
  /** Runs calls of these tools at the same time, and returns their results in order. */
  readonly run: RunCalls;
}

/** How a tool reaches a model. */
export interface ToolReport {
  /** The tool's own name. */
  readonly tool: string;
  /** The name that the model is given. */
  readonly name: string;
  /** Whether the model's library is told to enforce the schema. */
  readonly strict: boolean;
  /** How closely the model's schema matches the tool's schema. */
  readonly fidelity: CompiledTool["fidelity"];
  /** Changes to the schema, and the reason why it isn't strict. */
  readonly notes: CompiledTool["notes"];
  /** Size of name, description and schema, in bytes of JSON. */
  readonly bytes: number;
  /** Estimated number of tokens. */
  readonly estimatedTokens: number;
}

/** By the tools of toolsets, which don't change: programs make an adapter for each request. */
const compiledToolsets = new WeakMap<readonly AgentTool[], Map<Target, readonly CompiledTool[]>>();

/**
 * Converts a toolset's tools to the form that a model or library takes. Adapters call this function. Call it yourself
 * for a library without an adapter.
 *
 * @param strict For a strict target: `true` if a tool must be strict, as far as its schema can be, `false` if it must
 * not. By default, a tool is strict if it can be.
 * @throws {ConfigError} if the target doesn't exist, if `toolset` isn't a toolset (a promise must be awaited), or if
 * Anthropic doesn't take all tools that `strict` chooses.
 */
export function compileToolset(
  toolset: Toolset,
  target: Target,
  strict?: (tool: AgentTool) => boolean | undefined,
): CompiledToolset {
  checkTarget("toolset", target);
  ensure(toolset?.offer, "pass a toolset. Await toolset().");
  const tools = strict ? compiledTools(toolset, target, strict) : cachedTools(toolset, target);
  const forms = new Map(tools.map((tool) => [tool.originalName, tool]));
  return { tools: copiesOf(tools), run: toolset.offer(toolset.tools.map(({ name }) => forms.get(name))) };
}

/** The tools of a toolset without choices of the program, compiled once for each target. */
function cachedTools(toolset: Toolset, target: Target): readonly CompiledTool[] {
  const byTarget = compiledToolsets.get(toolset.tools) ?? new Map<Target, readonly CompiledTool[]>();
  const tools = byTarget.get(target) ?? compiledTools(toolset, target, undefined);
  compiledToolsets.set(toolset.tools, byTarget.set(target, tools));
  return tools;
}

function compiledTools(
  toolset: Toolset,
  target: Target,
  strict: ((tool: AgentTool) => boolean | undefined) | undefined,
): readonly CompiledTool[] {
  const sorted = toolset.tools
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map((tool) => {
      const { name, description, kind, parameters, tags } = tool;
      // What a program binds changes the schema, mostly in the same way for each request.
      const schema = kind === "local" ? parameters : sharedSchema(parameters);
      return { name, description, schema, destructive: tags.includes("destructiveHint"), strict: strict?.(tool) };
    });
  const compilers = sorted.map(({ schema }) => (isShared(schema) ? cachedCompilerOf(schema) : compilerOf(schema)));
  return compileWith(compilers, sorted, target);
}

/** Copies with new schemas and notes: a library or a program may change them. */
function copiesOf(tools: readonly CompiledTool[]): readonly CompiledTool[] {
  return tools.map((tool) => ({ ...tool, schema: copied(tool.schema), notes: copied(tool.notes) }));
}

function copied<Value>(value: Value): Value {
  // Its members have the same types.
  return mapMembers(value, copied) as Value;
}

/** Reports how each tool of a toolset reaches a model or library: names, schemas, sizes. */
export function reportTools(
  toolset: Toolset,
  target: Target = "portable",
  strict?: (tool: AgentTool) => boolean | undefined,
): ToolReport[] {
  return compileToolset(toolset, target, strict).tools.map(
    ({ name, originalName, description, schema, strict: isStrict, fidelity, notes }) => {
      const bytes = bytesOf(JSON.stringify({ name, description, schema }));
      return { tool: originalName, name, strict: isStrict, fidelity, notes, bytes, estimatedTokens: tokensIn(bytes) };
    },
  );
}

/**
 * Compiles the tools of one request. Names that the target rejects get an alias, which follows from the name alone
 * unless it collides.
 *
 * Anthropic limits the strict schemas of a request together. Tools with `strict: true` take precedence, then
 * destructive tools, then tools with few optional properties. The rest is compiled for the plain target.
 *
 * @throws {ConfigError} if the target doesn't exist, or Anthropic doesn't take all tools with `strict: true`.
 */
export function compileTools(tools: readonly CompileInput[], target: Target): readonly CompiledTool[] {
  checkTarget("compileTools", target);
  const compilers = tools.map(({ schema }) => compilerOf(schema));
  return compileWith(compilers, tools, target);
}

/** Compiles the tools of one request with the compilers of their schemas. */
function compileWith(
  compilers: readonly Compile[],
  tools: readonly CompileInput[],
  target: Target,
): readonly CompiledTool[] {
  const { toolNames, plain } = DIALECTS[target];
  const names = tools.map(({ name }) => name);
  const aliases = aliasesFor(names, toolNames);
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
function affordable(tools: readonly CompileInput[], compiled: readonly CompiledSchema[]): ReadonlySet<number> {
  const chosen = new Set<number>();
  let spent = { optionals: 0, unions: 0 };
  const candidates = compiled
    .flatMap(({ schema, strict }, index) => {
      const { name = "", destructive = false, strict: wanted } = tools[index] ?? {};
      const isNamed = wanted === true;
      return strict && wanted !== false ? [{ index, name, destructive, isNamed, counts: countsOf(schema) }] : [];
    })
    .sort(
      (left, right) =>
        Number(right.isNamed) - Number(left.isNamed) ||
        Number(right.destructive) - Number(left.destructive) ||
        left.counts.optionals - right.counts.optionals ||
        (left.name < right.name ? -1 : 1),
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
