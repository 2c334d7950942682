import { compileToolset } from "./schema/compile-toolset.js";
import type { StrictOption } from "./strict.js";
import type { Toolset } from "./toolset.js";

/** The options that {@link openaiAgents} passes to the `tool` function of `@openai/agents`. */
export interface AgentsToolOptions {
  name: string;
  description: string;
  /** A placeholder, which the tool's own schema replaces. */
  parameters: { type: "object"; properties: Record<string, never>; required: string[]; additionalProperties: true };
  strict: false;
  /** A placeholder, which the toolset's own function replaces. */
  execute(): Promise<string>;
}

/** The part of a call's details that is used. */
interface CallDetails {
  readonly toolCall?: { readonly callId: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The `tool` function of `@openai/agents`, for the tools that it creates. */
export interface AgentsModule<Tool> {
  /** Makes a tool. */
  readonly tool: (options: AgentsToolOptions) => Tool;
}

/**
 * Creates a toolset's tools for the OpenAI Agents SDK, which runs the loop itself.
 *
 * ```ts
 * const agent = new Agent({ name: "Reporter", tools: openaiAgents(tools, { tool }) });
 * const { finalOutput } = await run(agent, "Report that the build is broken.");
 * ```
 *
 * The library responds to invalid JSON itself, with its own message.
 *
 * @param library `{ tool }` of `@openai/agents`: the library runs only tools that it created.
 */
export function openaiAgents<Tool extends object>(
  tools: Toolset,
  library: AgentsModule<Tool>,
  { strict: wanted = true }: StrictOption = {},
): Tool[] {
  const compiled = compileToolset(tools, wanted ? "openai-strict" : "openai");
  return compiled.tools.map(({ name, description, schema, strict }) => {
    const invoke = async (_: unknown, input: string, details: CallDetails = {}) => {
      const call = { callId: details.toolCall?.callId ?? crypto.randomUUID(), name, arguments: input };
      const [result] = await compiled.run([call], { signal: details.signal });
      return result?.text ?? "";
    };
    const parameters = { type: "object", properties: {}, required: [], additionalProperties: true } as const;
    const made = library.tool({
      name,
      description,
      parameters: { ...parameters, required: [] },
      strict: false,
      execute: async () => "",
    });
    // The library rewrites names and schemas; it sends these as they are.
    return { ...made, name, parameters: { ...schema }, strict, invoke };
  });
}
