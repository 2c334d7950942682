// Function tools of the Responses API: their definitions, and the outputs of their calls.

import type { AgentTool } from "../agent-tool.js";
import type { CallResult } from "../call-result.js";
import { outputSchemaOf, structuredOf } from "../structured-output.js";
import type { ProgrammaticOption, ShownTool } from "./adapter-options.js";
import {
  answerOf,
  type CustomCallOutput,
  type callsInItems,
  type FunctionCallOutput,
  type FunctionDefinition,
} from "./openai-items.js";

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

/** The outputs for the calls. A program reads what its `output_schema` says, whatever happened to the call. */
export function outputsOf(
  calls: ReturnType<typeof callsInItems>,
  results: readonly CallResult[],
  callable: ReadonlyMap<string, AgentTool>,
): (FunctionCallOutput | CustomCallOutput)[] {
  const outputs: (FunctionCallOutput | CustomCallOutput)[] = [];
  for (const [index, { item, callId, name, isFromProgram }] of calls.entries()) {
    const result = results[index];
    const schema = isFromProgram ? outputSchemaOf(callable.get(name)?.output) : undefined;
    const output = result && schema ? JSON.stringify(structuredOf(schema, result)) : result?.text;
    outputs.push({ ...answerOf(item), call_id: callId, output: output ?? "" });
  }
  return outputs;
}
