import * as option from "../../errors/option-rules.js";
import { field, isString, textOf } from "../../shared/json.js";
import { compileToolset } from "../schema/compile-toolset.js";
import type { Target } from "../schema/compiled-tool.js";
import type { Toolset } from "../toolset.js";
import { uniqueCallId } from "./call-ids.js";
import { type PassthroughSchema, passthroughSchema } from "./standard-schema.js";

/** A tool as Mastra's agents take it. */
export interface MastraTool {
  /** The tool's name. */
  id: string;
  description: string;
  /** JSON Schema of the arguments. It accepts every value: the toolset checks. */
  inputSchema: PassthroughSchema;
  /** Present if the provider is asked to enforce the schema. */
  strict?: boolean;
  /** Runs a call. Returns the text for the model. */
  execute(input: unknown, context?: MastraContext): Promise<string>;
}

/** The part of a Mastra tool's context that the adapter uses. */
export interface MastraContext {
  /** The model's id of the call, as AI SDK tools receive it. */
  readonly toolCallId?: string;
  /** The model's id of the call, as Mastra's own tools receive it. */
  readonly agent?: { readonly toolCallId: string };
  /** Aborts the call. */
  readonly abortSignal?: AbortSignal;
  /** Suspends the run. */
  readonly suspend?: (payload: object) => unknown;
  /** The data that the run was resumed with. */
  readonly resumeData?: unknown;
  /** The pending approval with which the run was suspended. */
  readonly suspendPayload?: unknown;
}

/** Options of {@link mastra}. */
export interface MastraOptions {
  /**
   * The target of the schemas. Mastra doesn't report the provider.
   * @default "portable"
   */
  readonly target?: Target | undefined;
  /**
   * Whether a call that needs approval suspends the run with its pending approval. Otherwise, the model is told that
   * the call waits. Resume with `agent.resumeStream({ approvals: [token] }, { runId, toolCallId })`. Needs a storage.
   * @default false
   */
  readonly suspendForApproval?: boolean | undefined;
}

const MASTRA_OPTIONS = {
  // Checked when the schemas are compiled.
  target: { default: "portable" },
  suspendForApproval: { ...option.BOOLEAN, default: false },
} as const satisfies option.Rules<MastraOptions>;

/**
 * Creates a toolset's tools for Mastra's agents, which run the loop themselves. A failure is returned as text for the
 * model.
 *
 * ```ts
 * const agent = new Agent({ id: "reporter", name: "Reporter", instructions, model, tools: mastra(tools) });
 * const { text } = await agent.generate("Open an issue in octo-org/hello-world: the build is broken.");
 * ```
 *
 * @throws {ConfigError} for an unknown or invalid option.
 */
export function mastra(tools: Toolset, options: MastraOptions = {}): Record<string, MastraTool> {
  const { target, suspendForApproval } = option.checkAll("mastra", options, MASTRA_OPTIONS);
  const compiled = compileToolset(tools, target);
  const made = compiled.tools.map(({ name, description, schema, strict }) => {
    const execute: MastraTool["execute"] = async (input, context = {}) => {
      const { toolCallId, agent, abortSignal, suspend, resumeData, suspendPayload } = context;
      // A resumed call has the id that it was suspended with.
      const suspended = textOf(field(suspendPayload, "call"), "callId");
      const callId = suspended || (await uniqueCallId(toolCallId ?? agent?.toolCallId, name));
      const call = { callId, name, arguments: input };
      const approvals = [field(resumeData, "approvals") ?? []].flat().filter(isString);
      const [result] = await compiled.run([call], { signal: abortSignal, approvals });
      if (suspendForApproval && suspend && result?.pendingApproval) await suspend(result.pendingApproval);
      return result?.text ?? "";
    };
    const inputSchema = passthroughSchema(schema);
    return [name, { id: name, description, inputSchema, ...(strict && { strict }), execute }] as const;
  });
  return Object.fromEntries(made);
}
