import { isFirst, isStream, readStream, type StreamOptions } from "./calls.js";
import { BROKEN_OFF, NOTHING } from "./turn.js";

/** The part of a response that the adapter reads. */
export interface GoogleResponse<Part> {
  /** Becomes part of the ids of calls without an id. */
  readonly responseId?: string;
  /** The first one is used. */
  readonly candidates?: {
    readonly index?: number;
    readonly content?: { readonly parts?: Part[] };
    readonly finishReason?: unknown;
  }[];
  /** Why there are no candidates, if the prompt was blocked. */
  readonly promptFeedback?: { readonly blockReason?: unknown };
}

/** The first candidate of a response. */
export interface WholeResponse {
  readonly id: string | undefined;
  readonly parts: readonly object[];
  readonly incompleteReason: string | undefined;
}

/** The first candidate of a response, or of all chunks of a stream. */
export async function readWhole(
  given: GoogleResponse<object> | AsyncIterable<object>,
  options: StreamOptions<object>,
): Promise<WholeResponse> {
  const chunks: GoogleResponse<object>[] = [];
  if (isStream(given)) await readStream(given, options, (chunk) => chunks.push(chunk));
  else chunks.push(given);
  const candidates = chunks.flatMap(({ candidates = [] }) => candidates.find(isFirst) ?? []);
  return {
    id: chunks.find(({ responseId }) => responseId)?.responseId,
    parts: candidates.flatMap(({ content }) => content?.parts ?? []),
    incompleteReason: incompleteReasonOf(chunks, candidates, isStream(given)),
  };
}

/** Why a turn is incomplete; `undefined` if it isn't. */
function incompleteReasonOf(
  chunks: readonly GoogleResponse<object>[],
  candidates: NonNullable<GoogleResponse<object>["candidates"]>,
  isStreamed: boolean,
): string | undefined {
  const blocked = chunks.find(({ promptFeedback }) => promptFeedback?.blockReason)?.promptFeedback?.blockReason;
  if (blocked) return String(blocked);
  const reason = candidates.findLast(({ finishReason }) => finishReason)?.finishReason;
  if (!reason && isStreamed) return BROKEN_OFF;
  if (candidates.length === 0) return NOTHING;
  return !reason || reason === "STOP" ? undefined : String(reason);
}
