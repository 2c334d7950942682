import { SvcError } from "../../errors/base.js";
import { isFailure } from "../call-result.js";
import type { Target } from "../schema/types.js";
import type { Toolset } from "../toolset.js";
import { compiledForTarget } from "./compiled-for-target.js";
import { needsApproval } from "./needs-approval.js";
import { type AcceptingSchema, acceptingSchema } from "./standard-schema.js";

/** A tool of the AI SDK. */
export interface AiSdkTool {
  description: string;
  /** JSON Schema of the arguments. It accepts every value: the toolset checks. */
  inputSchema: AcceptingSchema;
  /** Present if the provider is asked to enforce the schema. */
  strict?: boolean;
  /** Runs a call. Throws what the model reads about a failure. */
  execute(
    input: unknown,
    options: { readonly toolCallId: string; readonly abortSignal?: AbortSignal },
  ): Promise<string>;
}

/** Options of {@link aiSdk}. */
export interface AiSdkOptions {
  /**
   * The target of the schemas. The AI SDK doesn't report the provider: set it for strict schemas.
   * @default "portable"
   */
  readonly target?: Target | undefined;
  /** Tokens of approvals. Read at each call, so that tokens may be added to the array. */
  readonly approvals?: readonly string[] | undefined;
}

/**
 * Creates a toolset's tools for the AI SDK, which runs the loop itself. A failure is thrown, so that the AI SDK reports
 * it as a `tool-error`; the model reads its text.
 *
 * ```ts
 * const { text } = await generateText({ model, prompt, tools: aiSdk(tools), stopWhen: isStepCount(10) });
 * ```
 */
export function aiSdk(
  tools: Toolset,
  { target = "portable", approvals }: AiSdkOptions = {},
): Record<string, AiSdkTool> {
  const compiled = compiledForTarget(tools, target);
  const made = compiled.tools.map(({ name, description, schema, strict }) => {
    const tool: AiSdkTool = {
      description,
      inputSchema: acceptingSchema(schema),
      ...(strict && { strict }),
      execute: async (input, { toolCallId, abortSignal }) => {
        const call = { callId: toolCallId, name, arguments: input };
        const [result] = await compiled.run([call], { signal: abortSignal, approvals });
        if (result && !isFailure(result.status)) return result.text;
        throw new SvcError(result?.text ?? "", { cause: result?.error });
      },
    };
    return [name, tool] as const;
  });
  return Object.fromEntries(made);
}

/** The part of the AI SDK's question about a call that is used. */
export interface AiSdkQuestion {
  /** The call. */
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
}

/**
 * Makes the `toolApproval` of a request to the AI SDK: a call that the toolset's policy asks about ends the loop with a
 * `tool-approval-request`. Nothing of it has run; `onApproval` of the toolset's approvals has received it.
 *
 * ```ts
 * const request = {
 *   model: openai("gpt-5"),
 *   tools: aiSdk(tools, { approvals: tokens }),
 *   toolApproval: aiSdkApproval(tools),
 *   stopWhen: isStepCount(10),
 * };
 * ```
 *
 * A `tool-approval-response` in the messages continues the loop and approves nothing: a client could have written it.
 * The token does.
 */
export function aiSdkApproval(
  tools: Toolset,
  { target = "portable", approvals }: AiSdkOptions = {},
): (question: AiSdkQuestion) => Promise<"user-approval" | undefined> {
  const { run } = compiledForTarget(tools, target);
  return async ({ toolCall: { toolCallId, toolName, input } }) => {
    const call = { callId: toolCallId, name: toolName, arguments: input };
    return (await needsApproval(run, call, approvals)) ? "user-approval" : undefined;
  };
}
