import { KEPT_CHARACTERS } from "../../shared/control-plane.js";
import { field, parseJson } from "../../shared/json.js";
import { rejectionBy } from "../../shared/timers.js";
import type { EmulatorClock } from "../engine/clock.js";
import type { DeliveryAttempt, DeliveryRecord, DeliveryRequest, ReceiverResponse } from "../engine/event-schema.js";
import { maskHeader } from "../engine/masking.js";
import type { DeliverySettings } from "./controls.js";

/** The POST of an attempt, and the response or the reason for none. */
type AttemptOutcome = Pick<DeliveryAttempt, "status" | "error" | "request" | "response">;

/**
 * Sends a POST and waits for the response, without following redirects. Never rejects.
 *
 * @param buildRequest throws if the attempt can't be sent.
 * @param cancelled ends it, even if `fetch` ignores its signal.
 */
export async function postDelivery(
  buildRequest: () => DeliveryRequest,
  body: string,
  { fetch, timeoutMs }: DeliverySettings,
  clock: EmulatorClock,
  cancelled: AbortSignal,
): Promise<AttemptOutcome> {
  const over = new AbortController();
  const giveUp = () => over.abort(new Error(`No response within ${timeoutMs} ms.`));
  const responded = new AbortController();
  void clock.sleep(timeoutMs, responded.signal).then(giveUp, () => undefined);
  const timer = setTimeout(giveUp, timeoutMs);
  const signal = AbortSignal.any([over.signal, cancelled]);
  let sent: DeliveryRequest | null = null;
  try {
    sent = buildRequest();
    const { url, headers } = sent;
    const request = new Request(url, { method: "POST", headers: { ...headers }, body, redirect: "manual", signal });
    const response = await Promise.race([fetch(request), rejectionBy(signal)]);
    const received = await readReceiverResponse(response, signal);
    // This is how runtimes show a redirect they didn't follow.
    if (response.type === "opaqueredirect")
      return { ...NO_RESPONSE, error: "The receiver sent a redirect, which isn't followed.", request: sent };
    return { status: response.status, error: null, request: sent, response: received };
  } catch (error) {
    return { ...NO_RESPONSE, error: reasonOf(error), request: sent };
  } finally {
    responded.abort();
    clearTimeout(timer);
  }
}

const NO_RESPONSE = { status: null, response: null } as const;

/** The state of a delivery whose last attempt ended so. */
export function stateAfter({ status, response }: AttemptOutcome): Exclude<DeliveryRecord["state"], "pending"> {
  if (status === null || status < 200 || status > 299) return "failed";
  // The response of createReceiver().
  return field(parseJson(response?.body ?? ""), "result") === "duplicate" ? "duplicate" : "delivered";
}

/** Reads the whole body, to free the connection, and keeps its start. An error while reading doesn't matter. */
async function readReceiverResponse({ body, headers }: Response, signal: AbortSignal): Promise<ReceiverResponse> {
  const decoder = new TextDecoder();
  let text = "";
  const sink = new WritableStream<Uint8Array>({
    write: (chunk) => {
      if (text.length < KEPT_CHARACTERS) text += decoder.decode(chunk, { stream: true });
    },
  });
  await body?.pipeTo(sink, { signal }).catch(() => undefined);
  const shown = Object.fromEntries([...headers].map(([name, value]) => [name, maskHeader(name, value)]));
  return { headers: shown, body: text.slice(0, KEPT_CHARACTERS) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  // A host with several IPs fails with an error that has a code and no message.
  return `${message}: ${cause.message || ("code" in cause ? String(cause.code) : cause.name)}`;
}
