import { ConfigError } from "../../errors/local.js";
import { field, isString } from "../../shared/json.js";
import { digestOf } from "../canonical.js";
import type { CompiledToolset } from "../schema/compile-toolset.js";
import { ASKS, type RunOptions, type ToolCall } from "../tool.js";
import type { Toolset } from "../toolset.js";

/** Ids that other turns have too: none, a count such as `call_0`, or the tool's name. Names are removed before. */
const REUSED = /^(?:.*[^a-z0-9])?(?:tool|function|call|fn|fc|id)*0*\d{0,6}$/i;

const isReused = (callId: string, name: string) => REUSED.test(callId.replace(name, ""));

/**
 * An id that no other call has. Models and services that count their calls start again in each turn, and some omit
 * ids. The shape stays: some models expect their own one in the conversation.
 *
 * @param turn - Identifies the turn and the call in it. Without it, the call is taken for a new one.
 */
export async function uniqueCallId(given: unknown, name: string, turn: unknown = crypto.randomUUID()): Promise<string> {
  const callId = isString(given) ? given : "";
  if (!isReused(callId, name)) return callId;
  const digest = await digestOf([turn, name, callId]);
  const start = callId.replace(/\d+$/, "") || "call_";
  return `${start}${/[a-z]$/i.test(start) ? "_" : ""}1${Number.parseInt(digest.slice(0, 12), 16)}`;
}

const turns = new WeakMap<object, string>();

/**
 * The calls of a turn under ids that no other turn has. The same turn gets the same ids each time it is run.
 *
 * @param turnId - The response's own id.
 * @param message - An object of the turn, by which it is recognized if the response has no id.
 */
export async function withUniqueIds<Call extends ToolCall>(
  calls: readonly Call[],
  turnId: unknown,
  message: object,
): Promise<readonly Call[]> {
  if (!calls.some(({ callId, name }) => isReused(callId, name))) return calls;
  const turn = (isString(turnId) && turnId) || (turns.get(message) ?? crypto.randomUUID());
  turns.set(message, turn);
  return Promise.all(
    calls.map(async (call, index) => ({
      ...call,
      callId: await uniqueCallId(call.callId, call.name, [turn, index]),
    })),
  );
}

/** Whether a program made a call. A kind of caller that isn't known may be one. */
export function isFromProgram(call: object): boolean {
  const caller = field(call, "caller") ?? undefined;
  return caller !== undefined && field(caller, "type") !== "direct";
}

/**
 * Whether the next call of a library has to wait for approval. Asks for it by a dry run, in which middleware, a local
 * tool's schema and `onEvent` run too. Calls that the policy always allows, and those of other tools, are not asked
 * about.
 */
export async function needsApproval(
  tools: Toolset,
  compiled: CompiledToolset,
  call: ToolCall,
  approvals: RunOptions["approvals"],
): Promise<boolean> {
  const { originalName } = compiled.tools.find(({ name }) => name === call.name) ?? {};
  const tool = tools.tools.find(({ name }) => name === originalName);
  if (!tool || tools.isUnconditional(tool)) return false;
  const question = { approvals, dryRun: true, [ASKS]: true };
  try {
    const [result] = await compiled.run([call], question);
    return result?.status === "pending";
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // Most of all, that the user has to connect an account. The call itself ends so, and nothing runs.
    return false;
  }
}

/** Options of a turn that may be a stream. */
export interface StreamOptions<Event> extends RunOptions {
  /**
   * Receives every event of a stream as it arrives: to show text, for example. A promise that it returns is awaited
   * before the next event. If it throws or rejects, the run rejects, and no call runs.
   */
  readonly onEvent?: ((event: Event) => unknown) | undefined;
}

export function isStream(value: unknown): value is AsyncIterable<object> {
  return Symbol.asyncIterator in Object(value);
}

/**
 * Reads a stream to its end, or until the signal aborts. A provider that stalls sends no event at which the abort could
 * be noticed, so the abort also closes the connection.
 */
export async function read<Event>(
  stream: AsyncIterable<Event>,
  { signal, onEvent }: StreamOptions<Event>,
  take: (event: Event) => void,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      reject(signal?.reason);
      const controller = field(stream, "controller");
      const abort = field(controller, "abort");
      // Streams of OpenAI and Anthropic have it. Google's have none, and close at their next event.
      if (typeof abort === "function") abort.call(controller);
    };
    const readAll = async () => {
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", onAbort);
      for await (const event of stream) {
        signal?.throwIfAborted();
        take(event);
        await onEvent?.(event);
      }
    };
    void readAll()
      .finally(() => signal?.removeEventListener("abort", onAbort))
      .then(resolve, reject);
  });
}

/** The list in the responses that each adapter runs. */
const LISTS = { openai: "output", openaiChat: "choices", anthropic: "content", google: "candidates" };

/**
 * Checks that `run` was given a stream, or a response of the adapter's library.
 *
 * @throws {ConfigError} that names the right adapter, if it's a response of another one.
 */
export function checkResponse(response: unknown, adapter: keyof typeof LISTS): void {
  const list = LISTS[adapter];
  if (isStream(response) || Array.isArray(field(response, list))) return;
  const [other] = Object.entries(LISTS).find(([, name]) => Array.isArray(field(response, name))) ?? [];
  // Gemini's response to a blocked prompt has no candidates.
  if (adapter === "google" && !other && Object(response) === response && !(response instanceof Promise)) return;
  const hint = other ? ` This one is for ${other}().` : "";
  throw new ConfigError(`${adapter}: run() needs an awaited response with ${list}, or its stream.${hint}`);
}
