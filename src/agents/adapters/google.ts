import { checkNames } from "../../errors/local.js";
import { field, isObject, isString, textOf } from "../../shared/json.js";
import { type CallResult, isFailure } from "../call-result.js";
import { compileToolset } from "../schema/compile-toolset.js";
import type { RunOptions, ToolCall } from "../tool.js";
import type { Toolset } from "../toolset.js";
import { checkResponse, isStream, read, type StreamOptions, withUniqueIds } from "./calls.js";
import type { DeferOption, ShownTool } from "./compiled-for.js";
import { definitionsOf } from "./find-tools.js";

export type { DeferOption } from "./compiled-for.js";

/** A function as Gemini takes it. */
export interface FunctionDeclaration {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parametersJsonSchema: Record<string, unknown>;
}

/** The response to a call in Gemini. */
export interface FunctionResponsePart {
  /** The call's id, and the text for the model. */
  functionResponse: { id?: string; name: string; response: { output: string } | { error: string } };
}

/** The part of a response that the adapter reads. */
export interface GoogleResponse<Part> {
  /** Part of the ids of calls that have none. */
  readonly responseId?: string;
  /** The first one is used. */
  readonly candidates?: { readonly content?: { readonly parts?: Part[] }; readonly finishReason?: unknown }[];
}

/** A model's turn, and its continuation. */
export interface GoogleTurn<Part> {
  /** False if the model called nothing: the loop ends. */
  readonly hasCalls: boolean;
  /** Contents to add to the next request: the model's content, whole, then one with a response per call. */
  readonly contents: { role: string; parts: (Part | FunctionResponsePart)[] }[];
  /** Results of the calls, in order, for your program. */
  readonly results: CallResult[];
}

/** Tools for Gemini. */
export interface GoogleTools {
  /** The `config.tools` of a request. With `defer`, `run` adds the tools that the model finds, at the end. */
  readonly definitions: { functionDeclarations: FunctionDeclaration[] }[];
  /**
   * Runs the calls of a response, or of the stream that `generateContentStream` returns. A call without an id gets one,
   * also in the returned contents: keep them to run a turn again. The signal ends the reading of a stream, and
   * `config.abortSignal` of the request closes its connection.
   *
   * @throws {AuthRequiredError} if the toolset was created with `onAuthRequired: "throw"`.
   */
  run<Part extends object>(response: GoogleResponse<Part>, options?: RunOptions): Promise<GoogleTurn<Part>>;
  run<Part extends object, Chunk extends GoogleResponse<Part>>(
    stream: AsyncIterable<Chunk & GoogleResponse<Part>>,
    options?: StreamOptions<Chunk>,
  ): Promise<GoogleTurn<Part>>;
  /** For `config.tools` too, instead of `definitions`: with it, `generateContent` and chats run the loop themselves. */
  readonly callable: {
    tool(): Promise<{ functionDeclarations: FunctionDeclaration[] }>;
    callTool(calls: readonly object[]): Promise<FunctionResponsePart[]>;
  };
}

/**
 * Creates a toolset's tools for Gemini with Google's Gen AI SDK.
 *
 * ```ts
 * const { definitions, run } = google(tools);
 * const config = { tools: definitions };
 * let response = await client.models.generateContent({ model, contents, config });
 * for (let turn = await run(response); turn.hasCalls; turn = await run(response)) {
 *   contents.push(...turn.contents);
 *   response = await client.models.generateContent({ model, contents, config });
 * }
 * ```
 *
 * @throws {ConfigError} for more than 512 tools that aren't deferred, and for an unknown option.
 */
export function google(tools: Toolset, options: DeferOption = {}): GoogleTools {
  checkNames("google", options, ["defer"]);
  const declare = ({ name, description, schema }: ShownTool): FunctionDeclaration => {
    return { name, description, parametersJsonSchema: { ...schema } };
  };
  const shown = definitionsOf("google", tools, compileToolset(tools, "gemini"), options, declare);
  const functionDeclarations = shown.definitions;
  const answer = async (given: readonly object[], turnId?: unknown, options?: RunOptions, cut: Cut = "none") => {
    // Google's library passes on the response's own calls, in a new list each time.
    const calls = await withUniqueIds(callsOf(given, cut), turnId, given[0] ?? given);
    const results = await shown.run(calls, options);
    const responses = results.map(({ callId, status, text }, index): FunctionResponsePart => {
      const response = isFailure(status) ? { error: text } : { output: text };
      return { functionResponse: { id: callId, name: calls[index]?.name ?? "", response } };
    });
    return { results, responses };
  };
  const run = async (
    given: GoogleResponse<object> | AsyncIterable<object>,
    options: StreamOptions<object> = {},
  ): Promise<GoogleTurn<object>> => {
    checkResponse(given, "google");
    const chunks: GoogleResponse<object>[] = [];
    if (isStream(given)) await read(given, options, (chunk) => chunks.push(chunk));
    else chunks.push(given);
    const parts = withoutLaterParts(chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []));
    const calls = parts.map((part) => field(part, "functionCall")).filter(isObject);
    const id = chunks.find(({ responseId }) => responseId)?.responseId;
    const reasons = chunks.flatMap(({ candidates }) => candidates?.[0]?.finishReason ?? []);
    const isBroken = isStream(given) && reasons.length === 0;
    const isCut = reasons.includes("MAX_TOKENS");
    const { results, responses } = await answer(calls, id, options, isBroken ? "all" : isCut ? "last" : "none");
    const ids = results.map(({ callId }) => callId);
    const own = parts.map((part) => {
      const functionCall = field(part, "functionCall");
      return isObject(functionCall) ? { ...part, functionCall: { ...functionCall, id: ids.shift() } } : part;
    });
    const contents: GoogleTurn<object>["contents"] = [{ role: "model", parts: own }];
    if (responses.length > 0) contents.push({ role: "user", parts: responses });
    return { hasCalls: responses.length > 0, contents, results };
  };
  const callable = {
    tool: async () => ({ functionDeclarations }),
    callTool: async (calls: readonly object[]) => {
      const { responses } = await answer(calls);
      // The library sends its own calls back, whose ids must be the same.
      return responses.map(({ functionResponse: { id: _, ...response } }, index) => {
        const id = field(calls[index], "id");
        return { functionResponse: isString(id) && id ? { id, ...response } : response };
      });
    },
  };
  // The parts are the response's own, whatever type its library has for them.
  return { definitions: [{ functionDeclarations }], run: run as GoogleTools["run"], callable };
}

/** Which calls of a response may lack a part of their arguments. */
type Cut = "none" | "last" | "all";

function callsOf(calls: readonly object[], cut: Cut): ToolCall[] {
  return calls.map((call, index) => {
    const { name, args, partialArgs, willContinue }: Record<string, unknown> = Object(call);
    const isCut = cut === "all" || (cut === "last" && index === calls.length - 1);
    // Arguments in parts are not joined, so such a call isn't run.
    const isTruncated = isCut || partialArgs !== undefined || willContinue === true;
    return { callId: textOf(call, "id"), name: String(name), arguments: args, isTruncated };
  });
}

/** The parts without those that continue the arguments of a call: they have no name, and aren't calls. */
function withoutLaterParts<Part extends object>(parts: readonly Part[]): Part[] {
  let isOpen = false;
  return parts.filter((part) => {
    const call = field(part, "functionCall");
    if (!isObject(call)) return true;
    const isLater = isOpen && call["name"] === undefined;
    isOpen = call["willContinue"] === true;
    return !isLater;
  });
}
