import { isFailure } from "./call-result.js";
import type { Target } from "./schema/types.js";
import { type AcceptingSchema, acceptingSchema } from "./standard-schema.js";
import type { Toolset } from "./toolset.js";

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
}

/**
 * Creates a toolset's tools for the AI SDK, which runs the loop itself. A failure is thrown, so that the AI SDK reports it as a
 * `tool-error`; the model reads its text.
 *
 * ```ts
 * const { text } = await generateText({ model, prompt, tools: aiSdk(tools), stopWhen: isStepCount(10) });
 * ```
 */
export function aiSdk(tools: Toolset, { target = "portable" }: AiSdkOptions = {}): Record<string, AiSdkTool> {
  const compiled = tools.compile(target);
  const made = compiled.tools.map(({ name, description, schema, strict }) => {
    const tool: AiSdkTool = {
      description,
      inputSchema: acceptingSchema(schema),
      ...(strict && { strict }),
      execute: async (input, { toolCallId, abortSignal }) => {
        const [result] = await compiled.run([{ callId: toolCallId, name, arguments: input }], { signal: abortSignal });
        if (result && !isFailure(result.status)) return result.text;
        throw new Error(result?.text, { cause: result?.error });
      },
    };
    return [name, tool] as const;
  });
  return Object.fromEntries(made);
}
