import type { EmulatorClock } from "../clock.js";
import type { DeliverySettings } from "./settings.js";

/** One POST, ready to go. */
export interface Parcel {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of a POST: a status, or the reason why there is none. */
export type Outcome =
  | { readonly status: number; readonly error: null }
  | { readonly status: null; readonly error: string };

/**
 * Sends a POST and waits for the answer; redirects are not followed. Never rejects.
 *
 * @param cancelled ends it, whatever the fetch does.
 */
export async function post(
  parcel: () => Parcel,
  { fetch, timeoutMs }: DeliverySettings,
  clock: EmulatorClock,
  cancelled: AbortSignal,
): Promise<Outcome> {
  const over = new AbortController();
  const giveUp = () => over.abort(new Error(`There was no answer within ${timeoutMs} ms.`));
  const answered = new AbortController();
  void clock.sleep(timeoutMs, answered.signal).then(giveUp, () => undefined);
  const timer = setTimeout(giveUp, timeoutMs);
  const signal = AbortSignal.any([over.signal, cancelled]);
  try {
    const { url, headers, body } = parcel();
    const request = new Request(url, { method: "POST", headers: { ...headers }, body, redirect: "manual", signal });
    const response = await Promise.race([fetch(request), rejectionBy(signal)]);
    await drain(response, signal);
    // So runtimes show a redirect that they did not follow and do not want to talk about.
    if (response.type === "opaqueredirect") return { status: null, error: "It was redirected, which is not followed." };
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: reasonOf(error) };
  } finally {
    answered.abort();
    clearTimeout(timer);
  }
}

function rejectionBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Reads a body to its end, so that the connection is free again. What it says, or whether it breaks off, changes nothing. */
async function drain({ body }: Response, signal: AbortSignal): Promise<void> {
  await body?.pipeTo(new WritableStream(), { signal }).catch(() => undefined);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  // A host with several addresses fails with an error that has a code and no text.
  const detail = cause.message || ("code" in cause ? String(cause.code) : cause.name);
  return `${message}: ${detail}`;
}
