import { referencesOf, resolverOf } from "../../json-schema/references.js";
import { isObject, type Json } from "../../shared/json.js";
import type { CompiledToolset } from "../schema/compile-toolset.js";
import type { AgentTool } from "../tool.js";
import type { Toolset } from "../toolset.js";

/** Option of the adapters whose provider runs programs of a model. */
export interface ProgrammaticOption {
  /**
   * Lets the model's programs call tools, in loops and without reading each result. They can call the tools whose calls
   * the policy always allows: without a condition, an approval or a budget. Without a policy, that is every tool. The
   * model calls the others itself, and a program that calls one gets words, and nothing runs. With `customPolicy`,
   * programs call none. The definitions then contain the provider's tool that runs programs.
   * @default false
   */
  readonly programmatic?: boolean | undefined;
}

/** Without the options that add a tool of the provider to the definitions. */
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

/** Whether a schema contains itself. */
export function isRecursive(root: Json): boolean {
  const resolve = resolverOf(root);
  const open = new Set<unknown>();
  const done = new Set<unknown>();
  const leadsBack = (part: unknown): boolean => {
    if (Array.isArray(part)) return part.some(leadsBack);
    if (!isObject(part) || done.has(part)) return false;
    if (open.has(part)) return true;
    open.add(part);
    const found = [...referencesOf(part).map(resolve), ...Object.values(part)].some(leadsBack);
    open.delete(part);
    done.add(part);
    return found;
  };
  return leadsBack(root);
}
