import { SvcError } from "../../errors/base.js";
import * as option from "../../errors/option-rules.js";
import { field } from "../../shared/json.js";
import { isFailure } from "../../shared/tools.js";
import { compileToolset } from "../schema/compile-toolset.js";
import type { Target } from "../schema/compiled-tool.js";
import type { Toolset } from "../toolset.js";
import { type DeferOption, deferredNames } from "./adapter-options.js";
import { uniqueCallId } from "./call-ids.js";
import { needsApproval } from "./calls.js";
import { type PassthroughSchema, passthroughSchema } from "./standard-schema.js";

/** A tool of the AI SDK. */
export interface AiSdkTool {
  description: string;
  /** JSON Schema of the arguments. It accepts every value: the toolset checks. */
  inputSchema: PassthroughSchema;
  /** Present if the provider is asked to enforce the schema. */
  strict?: boolean;
  /** Present if the model gets the definition only after a search. */
  deferLoading?: true;
  /** Runs a call. If it fails, throws an error whose message the model reads. */
  execute(
    input: unknown,
    options: {
      readonly toolCallId: string;
      readonly abortSignal?: AbortSignal;
      readonly messages?: readonly object[];
    },
  ): Promise<string>;
}

/** Options of {@link aiSdk}. */
export interface AiSdkOptions {
  /**
   * The target of the schemas. The AI SDK doesn't report the provider, so set the target to get strict schemas. Pass
   * the same target to `aiSdk` and `aiSdkApproval`, because names and arguments depend on it.
   * @default "portable"
   */
  readonly target?: Target | undefined;
  /**
   * Chooses the tools whose definitions the model gets only after a search: for toolsets with more than about 20 tools.
   * Also add the AI SDK's search to the tools, under any name: `search: toolSearch()`.
   */
  readonly defer?: DeferOption["defer"];
  /** Tokens of approvals. Read at each call, so that tokens may be added to the array. */
  readonly approvals?: readonly string[] | undefined;
}

const AI_SDK_OPTIONS = {
  // Checked when the schemas are compiled.
  target: { default: "portable" },
  defer: option.FUNCTION,
  approvals: option.STRINGS,
} as const satisfies option.Rules<AiSdkOptions>;

/**
 * Creates a toolset's tools for the AI SDK, which runs the loop itself. A failure is thrown, so that the AI SDK reports
 * it as a `tool-error`; the model reads its text.
 *
 * ```ts
 * const { text } = await generateText({ model, prompt, tools: aiSdk(tools), stopWhen: isStepCount(10) });
 * ```
 *
 * @throws {ConfigError} for an unknown or invalid option.
 */
export function aiSdk(tools: Toolset, options: AiSdkOptions = {}): Record<string, AiSdkTool> {
  const read = option.checkAll("aiSdk", options, AI_SDK_OPTIONS);
  const { target, approvals } = read;
  const compiled = compileToolset(tools, target);
  const deferred = deferredNames(tools, compiled, read);
  const made = compiled.tools.map(({ name, description, schema, strict }) => {
    const tool: AiSdkTool = {
      description,
      inputSchema: passthroughSchema(schema),
      ...(strict && { strict }),
      ...(deferred.has(name) && { deferLoading: true }),
      execute: async (input, { toolCallId, abortSignal, messages = [] }) => {
        const asked = askedIn(messages, toolCallId);
        const callId = await uniqueCallId(toolCallId, name, asked && historyOf(asked));
        const call = { callId, name, arguments: input };
        const [result] = await compiled.run([call], { signal: abortSignal, approvals });
        if (result && !isFailure(result.status)) return result.text;
        throw new SvcError(result?.text ?? "", { cause: result?.error });
      },
    };
    return [name, tool] as const;
  });
  return Object.fromEntries(made);
}

/** The part of the AI SDK's approval request that the adapter uses. */
export interface AiSdkApprovalContext {
  /** The call. */
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
  /** The conversation before the call. */
  readonly messages?: readonly object[];
}

/**
 * Creates the `toolApproval` of a request to the AI SDK: a call that needs approval ends the loop with a
 * `tool-approval-request`. The call hasn't run, and `onRequest` of the toolset's approvals has received it. Pass the
 * same `target` as to {@link aiSdk}. Otherwise, a call may end as pending without a request.
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
 * Unless the policy always allows the tool, a dry run finds out whether a call needs approval. `use` and a local tool's
 * schema then run twice, and `onEvent` receives the events of both runs. It never requests an approval for tools
 * outside of the toolset.
 *
 * A `tool-approval-response` in the messages only continues the loop, because a client could have written it. The token
 * approves the call.
 *
 * @throws {ConfigError} for an unknown or invalid option.
 */
export function aiSdkApproval(
  tools: Toolset,
  options: AiSdkOptions = {},
): (context: AiSdkApprovalContext) => Promise<"user-approval" | undefined> {
  const { target, approvals } = option.checkAll("aiSdkApproval", options, AI_SDK_OPTIONS);
  const compiled = compileToolset(tools, target);
  return async ({ toolCall: { toolCallId, toolName, input }, messages = [] }) => {
    const history = historyOf(askedIn(messages, toolCallId) ?? messages);
    const call = { callId: await uniqueCallId(toolCallId, toolName, history), name: toolName, arguments: input };
    return (await needsApproval(tools, compiled, call, approvals)) ? "user-approval" : undefined;
  };
}

function partsOf(message: object, type: string): object[] {
  const content = field(message, "content");
  return Array.isArray(content) ? content.filter((part: unknown) => field(part, "type") === type) : [];
}

/**
 * The messages before a call that was asked about and is now resumed; `undefined` for a call that the model has just
 * made.
 */
function askedIn(messages: readonly object[], toolCallId: string): readonly object[] | undefined {
  const isOf = (part: object) => field(part, "toolCallId") === toolCallId;
  const asked = messages.findLastIndex((message) => partsOf(message, "tool-call").some(isOf));
  const answered = messages.findLastIndex((message) => partsOf(message, "tool-result").some(isOf));
  return asked > answered ? messages.slice(0, asked) : undefined;
}

/** The parts of a conversation that stay the same when it is stored: what users wrote, and calls. */
function historyOf(messages: readonly object[]): unknown {
  return messages.map((message) => {
    const content = field(message, "content");
    const texts = partsOf(message, "text").map((part) => field(part, "text"));
    const calls = partsOf(message, "tool-call").map((part) => [field(part, "toolName"), field(part, "input")]);
    return [calls, field(message, "role") === "user" && (Array.isArray(content) ? texts.join("") : content)];
  });
}
