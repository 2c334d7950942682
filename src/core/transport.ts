import ky from "ky";
import { answered } from "./answer.js";
import type { AttemptFailure } from "./attempt-failure.js";
import type { Method } from "./endpoint.js";
import { type Bounds, type ResultOf, receive } from "./receive.js";

/** A request as it goes out. */
export interface Outgoing {
  readonly method: Method;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A call's request, built once for all its attempts. */
export interface PreparedRequest extends Outgoing {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The path from there, with the names of its parameters in place of their values. */
  readonly path: string;
  /** The tool's slug, where the call is about one. */
  readonly tool: string | undefined;
  /** The path parameters the URL was made from. */
  readonly params: Readonly<Record<string, string>>;
}

/** How an attempt is bounded and sent. */
interface AttemptOptions extends Bounds {
  /** The runtime's own where none was injected. */
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * Sends one request and reads its whole answer. Follows no redirect, repeats nothing, never rejects.
 *
 * @param onSend - Called when the request goes out.
 */
export function send<Result>(
  outgoing: Outgoing,
  options: AttemptOptions,
  onSend: () => void,
  resultOf: ResultOf<Result>,
): Promise<Result | AttemptFailure> {
  return receive((goOut) => sendWithKy(outgoing, options, goOut), options, onSend, resultOf);
}

function sendWithKy(
  { method, url, headers, body }: Outgoing,
  { fetch }: AttemptOptions,
  goOut: () => AbortSignal,
): Promise<Response> {
  return ky(url, {
    // Ours: one loop, one deadline, our own errors, and no key sent to another origin.
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    // What goes out is exactly what was prepared. ky would merge it with its defaults and tie the signal to one of its own, which
    // costs more than all else it does.
    fetch: () => {
      const init = {
        method,
        headers: { ...headers },
        body: body ?? null,
        redirect: "manual",
        signal: goOut(),
      } as const;
      // An injected fetch may forget the promise; what it throws is a rejection to ky.
      return fetch ? Promise.resolve(fetch(new Request(url, init))).then(answered) : globalThis.fetch(url, init);
    },
  });
}
