import type { Json } from "../shared/json.js";
import type { Execution } from "./agent-tool.js";
import type { Ending } from "./call-result.js";

/** One call, as a {@link ToolMiddleware} sees it. */
export interface MiddlewareCall extends Pick<Execution, "callId" | "tool" | "userId"> {
  /** The model's arguments, under the tool's own names. Assign a copy to change them. */
  arguments: Json;
  /** Aborts when the run is aborted. */
  readonly signal: AbortSignal | undefined;
}

/**
 * A function that wraps each call: the option `use` of `toolset()`. The first function in the list is the outermost.
 *
 * Change `call.arguments` before `next`: the changed arguments are validated, evaluated by the policy and shown to the
 * person who approves. Read or replace the result after `next`, or return a result without `next`. Call `next` at most
 * once. A call whose result is recorded isn't wrapped again.
 */
export type ToolMiddleware = (call: MiddlewareCall, next: () => Promise<Ending>) => Ending | Promise<Ending>;
