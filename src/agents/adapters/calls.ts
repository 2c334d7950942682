import { ConfigError } from "../../errors/local.js";
import { field } from "../../shared/json.js";
import type { ToolCall } from "../agent-tool.js";
import { ASKS, type RunOptions } from "../run-options.js";
import type { CompiledToolset } from "../schema/compile-toolset.js";
import type { Toolset } from "../toolset.js";
import type { TurnTicket } from "./ticket.js";

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
  readonly onStreamEvent?: ((event: Event) => unknown) | undefined;
}

/** Whether an alternative is the first: a request may ask for several, which may arrive in any order. */
export const isFirst = (alternative: unknown) => (field(alternative, "index") ?? 0) === 0;

export function isStream(value: unknown): value is AsyncIterable<object> {
  return Symbol.asyncIterator in Object(value);
}

/**
 * Reads a stream to its end, or until the signal aborts. A provider that stalls sends no event at which the abort could
 * be noticed, so the abort also closes the connection.
 */
export async function readStream<Event>(
  stream: AsyncIterable<Event>,
  { signal, onStreamEvent }: StreamOptions<Event>,
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
        await onStreamEvent?.(event);
      }
    };
    void readAll()
      .finally(() => signal?.removeEventListener("abort", onAbort))
      .then(resolve, reject);
  });
}

/**
 * The list in the responses of each adapter's provider, and how many tools a request may have: guides to function
 * calling, and Anthropic's to its search, as of 2026-11-24.
 */
const PROVIDERS: Readonly<Record<TurnTicket["adapter"], readonly [list: string, mostTools: number]>> = {
  openai: ["output", 128],
  openaiChat: ["choices", 128],
  anthropic: ["content", 10_000],
  google: ["candidates", 512],
};

/**
 * Checks that `run` was given a stream, or a response of the adapter's library.
 *
 * @throws {ConfigError} that names the right adapter, if it's a response of another one.
 */
export function checkResponse(response: unknown, adapter: TurnTicket["adapter"]): void {
  const [list] = PROVIDERS[adapter];
  if (isStream(response) || Array.isArray(field(response, list))) return;
  const others = Object.entries(PROVIDERS)
    .filter(([, [list]]) => Array.isArray(field(response, list)))
    .map(([name]) => `${name}()`);
  // Gemini's response to a blocked prompt has no candidates.
  const isObject = Object(response) === response && !(response instanceof Promise);
  if (adapter === "google" && others.length === 0 && isObject) return;
  const hint = others.length > 0 ? ` This one is for ${others.join(" or ")}.` : "";
  throw new ConfigError(`${adapter}: run() needs an awaited response with ${list}, or its stream.${hint}`);
}

/**
 * Checks that a provider takes so many tools in a request.
 *
 * @returns How many it takes.
 * @throws {ConfigError} with the count, and the option that helps.
 */
export function checkCount(adapter: TurnTicket["adapter"], count: number): number {
  const [, mostTools] = PROVIDERS[adapter];
  const advice = adapter === "anthropic" ? "" : ", or let the model search them with the option defer";
  if (count > mostTools) {
    throw new ConfigError(
      `${adapter}: ${count} tools, and a request takes at most ${mostTools}. Choose fewer${advice}.`,
    );
  }
  return mostTools;
}
