import * as option from "../../errors/option-rules.js";
import { field, isObject, isString, textOf } from "../../shared/json.js";
import { isFailure } from "../../shared/tools.js";
import type { ToolCall } from "../agent-tool.js";
import { runOptionsOf } from "../check-options.js";
import type { RunOptions } from "../run-options.js";
import { compileToolset } from "../schema/compile-toolset.js";
import type { Toolset } from "../toolset.js";
import type { DeferOption, ShownTool } from "./adapter-options.js";
import { turnIdOf, withUniqueIds } from "./call-ids.js";
import { checkResponse, type StreamOptions } from "./calls.js";
import { definitionsOf } from "./find-tools.js";
import { type GoogleResponse, readWhole, type WholeResponse } from "./google-response.js";
import type { PartOf, Resumed, ResumeOptions, TurnTicket } from "./ticket.js";
import { BROKEN_OFF, openedTicket, type TurnFacts, turnOf } from "./turn.js";

export type { DeferOption } from "./adapter-options.js";
export type { GoogleResponse } from "./google-response.js";

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

/** A model's turn, and its continuation. */
export interface GoogleTurn<Part> extends TurnFacts<Part> {
  /**
   * Contents to add to the next request: the model's content, unless it is empty, then a content with a response per
   * call. Missing and repeated ids of calls are replaced in both, so that ids are unique in the conversation.
   */
  readonly contents: { role: string; parts: (Part | FunctionResponsePart)[] }[];
}

/** Tools for Gemini. */
export interface GoogleTools {
  /** The `config.tools` of a request. With `defer`, `run` adds the tools that the model finds, at the end. */
  readonly definitions: { functionDeclarations: FunctionDeclaration[] }[];
  /**
   * Runs the calls of a response, or of the stream that `generateContentStream` returns. A call without an id gets one,
   * also in the returned contents: keep them to run a turn again. A call whose arguments are streamed in parts
   * (`streamFunctionCallArguments`), and the last one before a limit such as `MAX_TOKENS`, isn't run. The signal stops
   * reading a stream. To close its connection, abort `config.abortSignal` of the request.
   *
   * @throws {AuthRequiredError} if the toolset was created with `onAuthRequired: "throw"`.
   */
  run<Part extends object>(response: GoogleResponse<Part>, options?: RunOptions): Promise<GoogleTurn<Part>>;
  run<Part extends object, Chunk extends GoogleResponse<Part>>(
    stream: AsyncIterable<Chunk & GoogleResponse<Part>>,
    options?: StreamOptions<Chunk>,
  ): Promise<GoogleTurn<Part>>;
  /**
   * Continues a turn that `suspend` stored, in any process, and runs its calls with a person's decisions. Each call
   * runs once, however often you resume the ticket. Calls that ran already return their recorded results.
   *
   * @throws {TicketRejectedError} if the ticket isn't one of this adapter and toolset, or a definition or the policy
   * has changed. Nothing ran.
   */
  resume<Content extends object>(
    ticket: TurnTicket<Content>,
    options?: ResumeOptions,
  ): Promise<GoogleTurn<PartOf<Content, "parts">> & Resumed<Content>>;
  /**
   * Pass it as `config.tools` instead of `definitions`, and `generateContent` and chats run the loop themselves. They
   * don't report why a response ended, so a call before `MAX_TOKENS` runs.
   */
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
 * let turn = await run(response);
 * for (let turns = 1; turn.hasCalls; turns += 1) {
 *   if (turns === 10) throw new Error("The model still calls tools after ten turns.");
 *   contents.push(...turn.contents);
 *   response = await client.models.generateContent({ model, contents, config });
 *   turn = await run(response);
 * }
 * if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
 * ```
 *
 * @throws {ConfigError} for more than 512 tools that aren't deferred, and for an unknown or invalid option.
 */
export function google(tools: Toolset, given: DeferOption = {}): GoogleTools {
  const options = option.checkAll("google", given, { defer: option.FUNCTION });
  const compiled = compileToolset(tools, "gemini");
  const offered = definitionsOf("google", tools, compiled, options, declare);
  const functionDeclarations = offered.definitions;
  const source = { adapter: "google", tools, compiled, shown: offered.shown } as const;
  const answer = async (given: readonly object[], turnId?: unknown, options?: RunOptions, cut?: Cut) => {
    const calls = await withUniqueIds(tools, callsInParts(given, cut), turnId, given[0] ?? given, options);
    const results = await offered.run(calls, options);
    const responses = results.map(({ callId, status, text }, index): FunctionResponsePart => {
      const response = isFailure(status) ? { error: text } : { output: text };
      return { functionResponse: { id: callId, name: calls[index]?.name ?? "", response } };
    });
    return { calls, results, responses };
  };
  const runTurn = async ({ id, parts, incompleteReason }: WholeResponse, options: RunOptions) => {
    const written = parts.map((part) => field(part, "functionCall")).filter(isObject);
    const { calls, results, responses } = await answer(written, id, options, cutOf(incompleteReason));
    const unanswered = unansweredIn(parts);
    const contents = contentsOf(parts, calls, responses);
    const facts = { hasCalls: responses.length > 0, incompleteReason, unanswered, results };
    const own = contents.find(({ role }) => role === "model")?.parts ?? [];
    return turnOf(source, facts, { contents }, { id, parts: own, incompleteReason });
  };
  const run = async (given: GoogleResponse<object> | AsyncIterable<object>, givenOptions?: StreamOptions<object>) => {
    checkResponse(given, "google");
    const options = runOptionsOf(givenOptions);
    return runTurn(await readWhole(given, options), options);
  };
  const resume = async (ticket: TurnTicket<object>, givenOptions?: ResumeOptions) => {
    const { response, options, ...resumed } = await openedTicket<WholeResponse>(source, ticket, givenOptions);
    offered.show(Object.keys(ticket.definitions));
    return { ...(await runTurn(response, options)), ...resumed };
  };
  const callable = {
    tool: async () => ({ functionDeclarations }),
    callTool: async (given: readonly object[]) => {
      // Google's library passes on the response's own calls, in a new list each time.
      const { calls, responses } = await answer(given, turnIdOf(given[0] ?? given));
      // The library sends its own calls back, whose ids must be the same.
      return responses.map(({ functionResponse: { id: _, ...response } }, index) => {
        const id = field(calls[index]?.written, "id");
        return { functionResponse: isString(id) && id ? { id, ...response } : response };
      });
    },
  };
  // The parts are the response's own, whatever type its library has for them.
  return {
    definitions: [{ functionDeclarations }],
    run: run as GoogleTools["run"],
    resume: resume as GoogleTools["resume"],
    callable,
  };
}

function declare({ name, description, schema }: ShownTool): FunctionDeclaration {
  return { name, description, parametersJsonSchema: { ...schema } };
}

/** The model's content with the ids of its calls, and the responses to them. */
function contentsOf(
  parts: readonly object[],
  calls: readonly WrittenCall[],
  responses: FunctionResponsePart[],
): GoogleTurn<object>["contents"] {
  const left = [...calls];
  const own = parts.flatMap((part) => {
    const functionCall = field(part, "functionCall");
    if (!isObject(functionCall)) return [part];
    const call = isStart(functionCall) && left.shift();
    return call ? [{ ...part, functionCall: { ...call.written, id: call.callId } }] : [];
  });
  const contents: GoogleTurn<object>["contents"] = own.length > 0 ? [{ role: "model", parts: own }] : [];
  if (responses.length > 0) contents.push({ role: "user", parts: responses });
  return contents;
}

/**
 * Calls of the service's own tools run there, and their responses follow. Other kinds of calls wait for the program.
 */
function unansweredIn(parts: readonly object[]): object[] {
  return parts.filter((part) => {
    const kind = Object.keys(part).find(
      (name) => /.Call$/.test(name) && name !== "functionCall" && name !== "toolCall",
    );
    return kind !== undefined && !parts.some((other) => field(other, kind.replace(/Call$/, "Response")));
  });
}

/** How a turn ended before its model did: the stream, after any of its calls, or the model, in the last one. */
type Cut = "broken" | "limit" | undefined;

/** Reasons for which a model stops in the middle of what it writes. */
const CUT = /^(MAX_TOKENS|SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII)$/;

function cutOf(reason: string | undefined): Cut {
  if (reason === BROKEN_OFF) return "broken";
  return CUT.test(reason ?? "") ? "limit" : undefined;
}

interface WrittenCall extends ToolCall {
  /** The call as it goes back to the model. */
  readonly written: object;
}

/** Only the first part of a streamed call has its name. */
const isStart = (call: object) => textOf(call, "name") !== "";

function callsInParts(given: readonly object[], cut: Cut): WrittenCall[] {
  const last = given.findLastIndex(isStart);
  return given.flatMap((call, at) => {
    if (!isStart(call)) return [];
    const { partialArgs, willContinue, ...whole }: Record<string, unknown> = Object(call);
    const next = given[at + 1];
    // Arguments in parts are not joined, so such a call isn't run, and goes back without them.
    const isStreamed = partialArgs !== undefined || willContinue === true || (next && !isStart(next));
    const written = isStreamed ? { ...whole, args: {} } : call;
    const isTruncated = isStreamed || cut === "broken" || (cut === "limit" && at === last);
    const [callId, name] = [textOf(call, "id"), textOf(call, "name")];
    return [{ written, callId, name, arguments: field(written, "args"), isTruncated }];
  });
}
