import ky from "ky";
import { type Answer, type AnswerHead, answered, readHead } from "./answer.js";
import { readBody, textOf } from "./body.js";
import { type Bounds, type Progress, withinBounds } from "./bounded.js";
import type { Clock } from "./clock.js";
import type { Method } from "./endpoint.js";

/** A request as it goes out, built once per call. */
export interface PreparedRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Scheme, host and port. */
  readonly origin: string;
  /** The tool's slug, where the call is about one. */
  readonly tool: string | undefined;
  /** The path parameters the URL was made from. */
  readonly params: Readonly<Record<string, string>>;
}

/** How an attempt is bounded and sent. */
export interface AttemptOptions extends Bounds {
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  readonly maxBodyBytes: number;
  readonly clock: Clock;
}

/** The largest error body that is read, in bytes: what says why a call failed is short. */
const MAX_ERROR_BYTES = 1024 * 1024;

/**
 * Sends one request and reads its whole answer within one bound. Follows no redirect, repeats nothing.
 *
 * @throws {AttemptFailure} and nothing else.
 */
export function send(request: PreparedRequest, options: AttemptOptions): Promise<Answer> {
  const progress: Progress = { phase: "headers" };
  let head: AnswerHead | undefined;
  const pieces: Uint8Array[] = [];
  const work = async (signal: AbortSignal): Promise<Answer> => {
    const response = await sendWithKy(request, options.fetch, signal);
    head = readHead(response, options.clock.now());
    progress.phase = "body";
    const { maxBodyBytes } = options;
    const maxBytes = head.status >= 400 ? Math.min(maxBodyBytes, MAX_ERROR_BYTES) : maxBodyBytes;
    await readBody(response, maxBytes, signal, pieces);
    return { ...head, text: textOf(pieces) };
  };
  // A failing status is never lost because its body broke off.
  const rescue = () => (head && head.status >= 400 ? { ...head, text: textOf(pieces) } : undefined);
  return withinBounds(options, progress, work, rescue);
}

function sendWithKy(
  { url, method, headers, body }: PreparedRequest,
  fetch: AttemptOptions["fetch"],
  signal: AbortSignal,
): Promise<Response> {
  // What goes out is exactly what was prepared. ky would merge it with its defaults and tie the signal to one of its own, which
  // costs more than all else it does.
  const init: RequestInit = { method, headers: { ...headers }, redirect: "manual", signal };
  if (body !== undefined) init.body = body;
  return ky(url, {
    // Ours: one loop, one deadline, our own errors, and no key sent to another origin.
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    // `async` turns an injected fetch that throws, or forgets the promise, into a rejection.
    fetch: fetch ? async () => answered(await fetch(new Request(url, init))) : () => globalThis.fetch(url, init),
  });
}
