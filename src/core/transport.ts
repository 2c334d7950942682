import ky from "ky";
import { type Answer, type AnswerHead, answered } from "./answer.js";
import type { AttemptFailure } from "./attempt-failure.js";
import { textOf } from "./body.js";
import type { Method } from "./endpoint.js";
import { type Bounds, receive } from "./receive.js";

/** A request as it goes out, built once per call. */
export interface PreparedRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
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
export interface AttemptOptions extends Bounds {
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
}

/** Sends one request and reads its whole answer. Follows no redirect, repeats nothing, never rejects. */
export function send(
  request: PreparedRequest,
  options: AttemptOptions,
  onSend: () => void,
): Promise<Answer | AttemptFailure> {
  return receive((goOut) => sendWithKy(request, options.fetch, goOut), options, onSend, answerOf);
}

function answerOf(head: AnswerHead, pieces: readonly Uint8Array[]): Answer {
  return { ...head, text: textOf(pieces) };
}

function sendWithKy(
  { url, method, headers, body }: PreparedRequest,
  fetch: AttemptOptions["fetch"],
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
      const init: RequestInit = { headers: { ...headers }, redirect: "manual", signal: goOut() };
      // What is not said need not be looked at: undici takes half a microsecond for a method.
      if (method !== "GET") init.method = method;
      if (body !== undefined) init.body = body;
      // An injected fetch may forget the promise; what it throws is a rejection to ky.
      return fetch ? Promise.resolve(fetch(new Request(url, init))).then(answered) : globalThis.fetch(url, init);
    },
  });
}
