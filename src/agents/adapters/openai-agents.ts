import { ConfigError } from "../../errors/local.js";
import type { Toolset } from "../toolset.js";
import { compiledFor } from "./compiled-for.js";
import { needsApproval } from "./needs-approval.js";
import type { StrictOption } from "./strict.js";

/** The options that {@link openaiAgents} passes to the `tool` function of `@openai/agents`. */
export interface AgentsToolOptions {
  name: string;
  description: string;
  /** A placeholder, which the tool's own schema replaces. */
  parameters: { type: "object"; properties: Record<string, never>; required: string[]; additionalProperties: true };
  strict: false;
  /** A placeholder, which the toolset's own function replaces. */
  execute(): Promise<string>;
  /** Whether a call pauses the run. */
  needsApproval?: (context: unknown, input: unknown, callId?: string) => Promise<boolean>;
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

/** Options of {@link openaiAgents}. */
export interface OpenAIAgentsOptions extends StrictOption {
  /**
   * Tokens of approvals. Read at each call, so that tokens may be added to the array. With it, a call that the
   * toolset's policy asks about pauses the run as an interruption; without it, the model reads that the call waits.
   */
  readonly approvals?: readonly string[] | undefined;
}

/**
 * Creates a toolset's tools for the OpenAI Agents SDK, which runs the loop itself.
 *
 * ```ts
 * const agent = new Agent({ name: "Reporter", tools: openaiAgents(tools, { tool }) });
 * const { finalOutput } = await run(agent, "Report that the build is broken.");
 * ```
 *
 * The library responds to invalid JSON itself, with its own message. With `approvals`, it pauses the run first: reject
 * an interruption that has no pending approval.
 *
 * `state.approve` continues the run and approves nothing: the token does.
 *
 * @param library `{ tool }` of `@openai/agents`: the library runs only tools that it created.
 */
export function openaiAgents<Tool extends object>(
  tools: Toolset,
  library: AgentsModule<Tool>,
  { strict: wanted = true, approvals }: OpenAIAgentsOptions = {},
): Tool[] {
  if (typeof library?.tool !== "function") throw new ConfigError("openaiAgents: pass { tool } of @openai/agents.");
  const compiled = compiledFor(tools, wanted ? "openai-strict" : "openai");
  return compiled.tools.map(({ name, description, schema, strict }) => {
    const invoke = async (_: unknown, input: string, details: CallDetails = {}) => {
      const call = { callId: details.toolCall?.callId ?? crypto.randomUUID(), name, arguments: input };
      const [result] = await compiled.run([call], { signal: details.signal, approvals });
      return result?.text ?? "";
    };
    const isWaiting = (_: unknown, input: unknown, callId = "") =>
      needsApproval(compiled.run, { callId, name, arguments: input }, approvals);
    const parameters = { type: "object", properties: {}, required: [], additionalProperties: true } as const;
    const made = library.tool({
      name,
      description,
      parameters: { ...parameters, required: [] },
      strict: false,
      execute: async () => "",
      ...(approvals && { needsApproval: isWaiting }),
    });
    // The library rewrites names and schemas; it sends these as they are.
    return { ...made, name, parameters: { ...schema }, strict, invoke };
  });
}
