import type { Json } from "../../shared/json.js";
import type { Execution } from "../agent-tool.js";
import type { Ending } from "../call-result.js";
import type { CallLimits } from "../run-options.js";
import type { Settler } from "../settler.js";
import { endingOf } from "./send-once.js";

/** A call that another run started and didn't finish. */
interface UnfinishedCall extends Pick<Execution, "callId" | "tool"> {
  /** The `x-request-id` of its request. */
  readonly requestId: string;
}

/** Passes what is found through the program's middleware, which may change the arguments first. */
type WrapLookup = (look: (args: Json) => Promise<Ending>) => Promise<Ending>;

/**
 * Looks up a call in the execution log.
 *
 * @returns How it ended, as middleware returns it; otherwise why that stays unknown, if there is an error.
 */
export async function lookUp(
  { callId, tool, requestId }: UnfinishedCall,
  settler: Settler,
  wrap: WrapLookup,
  context: Parameters<typeof endingOf>[2],
  limits: CallLimits,
): Promise<{ readonly ending: Ending | undefined; readonly error: unknown }> {
  let isFound = false;
  try {
    const ending = await wrap(async (args) => {
      const recovering = settler.recovered({ toolSlug: tool.name, arguments: args }, requestId, limits);
      const found = await endingOf({ callId, tool }, recovering, context, limits);
      isFound = found.status === "succeeded" || found.status === "failed";
      return found;
    });
    // Middleware that ends the call itself doesn't know that it may have run.
    return { ending: isFound ? ending : undefined, error: ending.error };
  } catch (error) {
    limits.signal?.throwIfAborted();
    return { ending: undefined, error };
  }
}
