import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { field, parseJson } from "../../shared/json.js";
import type { Toolset } from "../toolset.js";
import { STRICT, type StrictOption, strictlyFor } from "./adapter-options.js";
import { uniqueCallId } from "./call-ids.js";
import { needsApproval } from "./calls.js";

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

/** The part of a call's details that the adapter uses. */
interface CallDetails {
  readonly toolCall?: { readonly callId: string; readonly id?: string | undefined } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The `tool` function of `@openai/agents`, for the tools that it creates. */
export interface AgentsModule<Tool> {
  /** Creates a tool. */
  readonly tool: (options: AgentsToolOptions) => Tool;
}

/** Options of {@link openaiAgents}. */
export interface OpenAIAgentsOptions extends StrictOption {
  /**
   * Tokens of approvals. Read at each call, so that tokens may be added to the array. With it, a call that needs
   * approval pauses the run as an interruption. Without it, the model reads that the call waits. Unless the policy
   * always allows the tool, a dry run finds out whether a call needs approval: `use` and a local tool's schema then run
   * twice, and `onEvent` receives the events of both runs.
   */
  readonly approvals?: readonly string[] | undefined;
}

const OPENAI_AGENTS_OPTIONS = {
  strict: STRICT,
  approvals: option.STRINGS,
} as const satisfies option.Rules<OpenAIAgentsOptions>;

/**
 * Creates a toolset's tools for the OpenAI Agents SDK, which runs the loop itself.
 *
 * ```ts
 * const agent = new Agent({ name: "Reporter", tools: openaiAgents(tools, { tool }) });
 * const { finalOutput } = await run(agent, "Open an issue in octo-org/hello-world: the build is broken.");
 * ```
 *
 * The library responds to invalid JSON itself, with its own message. With `approvals`, it pauses the run first: reject
 * an interruption that has no pending approval.
 *
 * `state.approve` only continues the run. The token approves the call.
 *
 * @param library `{ tool }` of `@openai/agents`: the library runs only tools that it created.
 * @throws {ConfigError} for another library, and for an unknown or invalid option.
 */
export function openaiAgents<Tool extends object>(
  tools: Toolset,
  library: AgentsModule<Tool>,
  options: OpenAIAgentsOptions = {},
): Tool[] {
  const read = option.checkAll("openaiAgents", options, OPENAI_AGENTS_OPTIONS);
  const { approvals } = read;
  if (typeof library?.tool !== "function") throw new ConfigError("openaiAgents: pass { tool } from @openai/agents.");
  const compiled = strictlyFor(tools, "openai", read);
  return compiled.tools.map(({ name, description, schema, strict }) => {
    // Programs look up the pending approval of an interruption by the library's id, which is unique in a run.
    const idOf = (given: string | undefined, turn: unknown) =>
      approvals && given ? given : uniqueCallId(given, name, turn);
    const invoke = async (context: unknown, input: string, { toolCall, signal }: CallDetails = {}) => {
      // The library's question about a call doesn't have the item's id.
      const turn = toolCall && turnOf(context, parseJson(input) ?? input, approvals ? undefined : toolCall.id);
      const call = { callId: await idOf(toolCall?.callId, turn), name, arguments: input };
      const [result] = await compiled.run([call], { signal, approvals });
      return result?.text ?? "";
    };
    const isWaiting = async (context: unknown, input: unknown, given?: string) => {
      const callId = await idOf(given, turnOf(context, input));
      return needsApproval(tools, compiled, { callId, name, arguments: input }, approvals);
    };
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

/** Identifies a call in a run, even after its state was stored: by the requests before it and their tokens. */
function turnOf(context: unknown, args: unknown, itemId?: string): unknown {
  const usage = field(context, "usage");
  return [itemId, args, ...["requests", "inputTokens", "outputTokens"].map((name) => field(usage, name))];
}
