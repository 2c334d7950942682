import type { CompiledToolset } from "../schema/compile-toolset.js";
import type { AgentTool } from "../tool.js";
import type { Toolset } from "../toolset.js";

export { compileToolset as compiledFor } from "../schema/compile-toolset.js";

/** Option of the adapters whose provider can enforce schemas. */
export interface StrictOption {
  /**
   * Asks the provider to enforce the schemas of the tools that allow it. `reportTools` from `svc-sdk/agents/schema`
   * lists the other tools, with the reasons.
   * @default true
   */
  readonly strict?: boolean | undefined;
}

/** Option of the adapters whose provider can search tools. */
export interface DeferOption {
  /**
   * Chooses the tools whose definitions the model gets only if a search of the provider finds them: for toolsets with
   * more than about 20 tools. The definitions then contain the provider's search tool.
   */
  readonly defer?: ((tool: AgentTool) => boolean) | undefined;
}

/** The names, in the model's form, of the tools whose definitions are deferred. */
export function deferredNames(tools: Toolset, compiled: CompiledToolset, { defer }: DeferOption): ReadonlySet<string> {
  const deferred = new Set(defer ? tools.tools.filter(defer).map(({ name }) => name) : []);
  return new Set(compiled.tools.flatMap(({ name, originalName }) => (deferred.has(originalName) ? [name] : [])));
}
