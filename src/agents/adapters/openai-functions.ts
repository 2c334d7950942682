// Definitions of function tools for the Responses API: those in the request, and those that the model finds.

import { field, isString, parseJson, textOf } from "../../shared/json.js";
import type { AgentTool } from "../agent-tool.js";
import type { ProgrammaticOption, Searching, ShownTool } from "./adapter-options.js";
import { toolsFor } from "./find-tools.js";
import { type FunctionDefinition, searchOutput, type ToolSearchOutput } from "./openai-items.js";
import { outputSchemaOf } from "./structured-output.js";

/** @param callable - The tools that programs can call. */
export function definitionOf(
  { name, description, schema, strict }: ShownTool,
  callable: ReadonlyMap<string, AgentTool>,
  programmatic: ProgrammaticOption["programmatic"],
): FunctionDefinition {
  const output = outputSchemaOf(callable.get(name)?.output);
  return {
    type: "function",
    name,
    description,
    parameters: { ...schema },
    strict,
    // Assumption A16: what isn't written could be anything.
    ...(programmatic && { allowed_callers: callable.has(name) ? ["direct", "programmatic"] : ["direct"] }),
    ...(output && { output_schema: structuredClone(output) }),
  };
}

/** Answers a search for deferred tools. `undefined` for other items. */
export function foundTools(
  item: object,
  searching: Searching | undefined,
  define: (tool: ShownTool) => FunctionDefinition,
): ToolSearchOutput | undefined {
  if (!searching || textOf(item, "type") !== "tool_search_call") return undefined;
  const given = field(item, "arguments");
  const query = textOf(isString(given) ? parseJson(given) : given, "query");
  return searchOutput(
    item,
    toolsFor(query, searching).map((tool) => ({ ...define(tool), defer_loading: true })),
  );
}
