import * as option from "../../errors/option-rules.js";
import type { Json } from "../../shared/json.js";
import type { AgentTool } from "../agent-tool.js";
import { type CompiledToolset, compileToolset } from "../schema/compile-toolset.js";
import type { CompiledTool } from "../schema/compiled-tool.js";
import type { Toolset } from "../toolset.js";

/** Option of the adapters whose provider can enforce schemas. */
export interface StrictOption {
  /**
   * Asks the provider to enforce the schemas that can be strict. A function chooses tools. `reportTools` from
   * `svc-sdk/agents/schema` lists the other tools, with the reasons.
   *
   * Anthropic enforces 20 tools per request, with 24 optional properties and 16 properties of several types in them.
   * With `true`, destructive tools take precedence, then tools with few optional properties. A function that chooses
   * more tools is a `ConfigError`.
   * @default true
   */
  readonly strict?: boolean | ((tool: AgentTool) => boolean) | undefined;
}

/** Accepts one answer for all tools, or a function of the tool. */
export const CHOICE = option.either(option.BOOLEAN, option.FUNCTION);
export const STRICT = { ...CHOICE, default: true } as const;

/** Option of the adapters that can defer tools. */
export interface DeferOption {
  /**
   * Chooses the tools whose definitions the model gets only after a search: for toolsets with more than about 20 tools.
   * The definitions then contain a tool that searches. If it's named `find_tools`, `run` adds what it finds to the end
   * of `definitions`: create the adapter once per conversation, and pass the array itself to each request.
   *
   * A call of a deferred tool runs like any call, even if the model didn't search: its arguments are validated, and the
   * policy evaluates it.
   */
  readonly defer?: ((tool: AgentTool) => boolean) | undefined;
}

/**
 * A toolset's tools for one of the providers that can enforce schemas.
 *
 * @param isPlain - Chooses tools whose schemas must not be enforced.
 */
export function strictlyFor(
  tools: Toolset,
  provider: "openai" | "anthropic",
  { strict }: StrictOption,
  isPlain?: (tool: AgentTool) => boolean,
): CompiledToolset {
  const target = strict ? (`${provider}-strict` as const) : provider;
  const chosen = typeof strict === "function" ? strict : undefined;
  return compileToolset(tools, target, isPlain ? (tool) => (isPlain(tool) ? false : chosen?.(tool)) : chosen);
}

/** The names, in the model's form, of the tools whose definitions are deferred. */
export function deferredNames(tools: Toolset, compiled: CompiledToolset, { defer }: DeferOption): ReadonlySet<string> {
  const deferred = new Set(defer ? tools.tools.filter(defer).map(({ name }) => name) : []);
  return new Set(compiled.tools.flatMap(({ name, originalName }) => (deferred.has(originalName) ? [name] : [])));
}

const FIND_TOOLS = "find_tools";
const MOST_TOOLKIT_CHARACTERS = 120;

/** A tool as a model is shown it. */
export type ShownTool = Pick<CompiledTool, "name" | "description" | "schema" | "strict">;

/** A toolset of which a model knows only some tools. */
export interface Searching {
  readonly compiled: CompiledToolset;
  /** The toolkits of tools, by the tools' own names. */
  readonly toolkits: ReadonlyMap<string, string | undefined>;
  /** A sentence for the model if nothing is found. */
  readonly hint: string;
  readonly finder: ShownTool;
}

/** The tools that a model is shown at first, and how it finds the others. */
export function shownAtFirst(
  tools: Toolset,
  compiled: CompiledToolset,
  options: DeferOption & StrictOption,
): { readonly shown: readonly CompiledTool[]; readonly searching?: Searching } {
  const deferred = deferredNames(tools, compiled, options);
  const shown = compiled.tools.filter(({ name }) => !deferred.has(name));
  if (deferred.size === 0) return { shown };
  const toolkits = new Map(tools.tools.map(({ name, toolkit }) => [name, toolkit]));
  const hidden = compiled.tools.filter(({ name }) => deferred.has(name));
  const hint = toolkitsIn(hidden.flatMap(({ originalName }) => toolkits.get(originalName) ?? []));
  const description = `Finds tools by words, so that you can call them. ${deferred.size} more tools exist.${hint}`;
  // Strict in every dialect.
  const schema = {
    type: "object",
    properties: { query: { type: "string", description: "Words for what the tool does." } },
    required: ["query"],
    additionalProperties: false,
  };
  const finder = { name: FIND_TOOLS, description, schema, strict: options.strict !== false };
  return { shown, searching: { compiled, toolkits, hint, finder } };
}

/** A sentence with the toolkits of tools, as many as fit. */
function toolkitsIn(toolkits: readonly string[]): string {
  const slugs = [...new Set(toolkits)].sort();
  const shown: string[] = [];
  for (const slug of slugs) if ([...shown, slug].join().length <= MOST_TOOLKIT_CHARACTERS) shown.push(slug);
  const more = slugs.length > shown.length ? ` and ${slugs.length - shown.length} more` : "";
  return shown.length > 0 ? ` Toolkits: ${shown.join(", ")}${more}.` : "";
}

/** Option of the adapters whose provider runs programs of a model. */
export interface ProgrammaticOption {
  /**
   * Lets the model's programs call tools, in loops and without reading each result. Programs can call the tools that
   * the policy always allows: without a condition, an approval or a budget. Without a policy, programs can call all
   * tools; with `customPolicy`, none. The model can still call the other tools itself. If a program calls one, nothing
   * runs, and the program gets an error message. The definitions then contain the provider's tool that runs programs.
   * @default false
   */
  readonly programmatic?: boolean | undefined;
}

export const PROGRAMMATIC = { ...option.BOOLEAN, default: false } as const;

/** Forbids the options that add a tool of the provider to the definitions. */
export interface NoHostedTool {
  /** Nothing. */
  readonly defer?: undefined;
  /** False or nothing. */
  readonly programmatic?: false | undefined;
}

/** The tools that programs of the model can call, by their names in the model's form. */
export function programmaticTools(
  tools: Toolset,
  compiled: CompiledToolset,
  { programmatic = false }: ProgrammaticOption,
  takes: (schema: Json) => boolean = () => true,
): ReadonlyMap<string, AgentTool> {
  const free = programmatic ? tools.tools.filter((tool) => tools.isUnconditional(tool)) : [];
  const byName = new Map(free.map((tool) => [tool.name, tool]));
  return new Map(
    compiled.tools.flatMap(({ name, originalName, schema }) => {
      const tool = byName.get(originalName);
      return tool && takes(schema) ? [[name, tool]] : [];
    }),
  );
}
