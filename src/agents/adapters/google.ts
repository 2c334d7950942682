import { field, isObject } from "../../shared/json.js";
import { type CallResult, isFailure } from "../call-result.js";
import type { RunOptions, ToolCall } from "../tool.js";
import type { Toolset } from "../toolset.js";
import { checkResponse } from "./check-response.js";
import { compiledFor } from "./compiled-for.js";
import { isStream, read, type StreamOptions, textOf } from "./stream.js";
import { turnId } from "./turn-id.js";

/** A function as Gemini takes it. */
export interface FunctionDeclaration {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parametersJsonSchema: Record<string, unknown>;
}

/** The response to a call in Gemini. */
export interface FunctionResponsePart {
  /** The id, if the call had one, and the text for the model. */
  functionResponse: { id?: string; name: string; response: { output: string } | { error: string } };
}

/** The part of a response that is read. */
export interface GoogleResponse<Part> {
  /** Part of the ids of calls that have none. */
  readonly responseId?: string;
  /** The first one is used. */
  readonly candidates?: { readonly content?: { readonly parts?: Part[] } }[];
}

/** A model's turn, and its continuation. */
export interface GoogleTurn<Part> {
  /** False if the model called nothing: the loop ends. */
  readonly hasCalls: boolean;
  /** Contents to add to the next request: the model's own, whole, then one with a response per call. */
  readonly contents: { role: string; parts: (Part | FunctionResponsePart)[] }[];
  /** Results of the calls, in order, for your program. */
  readonly results: CallResult[];
}

/** Tools for Gemini. */
export interface GoogleTools {
  /** The `config.tools` of a request. */
  readonly definitions: { functionDeclarations: FunctionDeclaration[] }[];
  /**
   * Runs the calls of a response, or of the stream that `generateContentStream` returns.
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
 */
export function google(tools: Toolset): GoogleTools {
  const compiled = compiledFor(tools, "gemini");
  const functionDeclarations = compiled.tools.map(({ name, description, schema }): FunctionDeclaration => {
    return { name, description, parametersJsonSchema: { ...schema } };
  });
  const answer = async (calls: readonly object[], responseId?: string, options?: RunOptions) => {
    // Google's library passes on the response's own calls, in a new list each time.
    const turn = turnId(calls[0] ?? calls, responseId);
    const results = await compiled.run(callsOf(calls, turn), options);
    const responses = results.map(({ status, text }, index): FunctionResponsePart => {
      const id = textOf(calls[index], "id");
      const name = String(field(calls[index], "name"));
      const response = isFailure(status) ? { error: text } : { output: text };
      return { functionResponse: { ...(id && { id }), name, response } };
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
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
    const calls = parts.map((part) => field(part, "functionCall")).filter(isObject);
    const id = chunks.find(({ responseId }) => responseId)?.responseId;
    const { results, responses } = await answer(calls, id, options);
    const own = { role: "model", parts };
    const contents = responses.length > 0 ? [own, { role: "user", parts: responses }] : [own];
    return { hasCalls: responses.length > 0, contents, results };
  };
  const callable = {
    tool: async () => ({ functionDeclarations }),
    callTool: async (calls: readonly object[]) => (await answer(calls)).responses,
  };
  // The parts are the response's own, whatever type its library has for them.
  return { definitions: [{ functionDeclarations }], run: run as GoogleTools["run"], callable };
}

function callsOf(calls: readonly object[], turn: string): ToolCall[] {
  return calls.map((call, index) => {
    const { name, args, partialArgs }: Record<string, unknown> = Object(call);
    // Gemini may omit the id; then turn and position are one. Arguments in parts are not joined, so such a call isn't
    // run.
    return {
      callId: textOf(call, "id") || `${turn}:${index}`,
      name: String(name),
      arguments: args,
      isCut: partialArgs !== undefined,
    };
  });
}
