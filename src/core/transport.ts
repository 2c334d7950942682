import ky from "ky";
import { readBody } from "./body.js";
import { type Bounds, type Progress, withinBounds } from "./bounded.js";
import type { Method } from "./endpoint.js";

/** A request as it goes out, built once per call. */
export interface PreparedRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The path parameters the URL was made from. */
  readonly params: Readonly<Record<string, string>>;
}

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** How an attempt is bounded and sent. */
export interface AttemptOptions extends Bounds {
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  readonly maxBodyBytes: number;
}

/**
 * Sends one request and reads its whole answer within one bound. Follows no redirect, repeats nothing.
 *
 * @throws {AttemptFailure} and nothing else.
 */
export function send(request: PreparedRequest, options: AttemptOptions): Promise<Answer> {
  const progress: Progress = { phase: "headers" };
  let head: Response | undefined;
  let text = "";
  const work = async (signal: AbortSignal): Promise<Answer> => {
    const response = await sendWithKy(request, options.fetch, signal);
    head = response;
    progress.phase = "body";
    const decoder = new TextDecoder();
    await readBody(response, options.maxBodyBytes, signal, (piece) => {
      text += decoder.decode(piece, { stream: true });
    });
    return { status: response.status, headers: response.headers, text: text + decoder.decode() };
  };
  // A failing status is never lost because its body broke off.
  const rescue = () => (head && head.status >= 400 ? { status: head.status, headers: head.headers, text } : undefined);
  return withinBounds(options, progress, work, rescue);
}

function sendWithKy(
  { url, method, headers, body }: PreparedRequest,
  fetch: AttemptOptions["fetch"],
  signal: AbortSignal,
): Promise<Response> {
  return ky(url, {
    method,
    headers: { ...headers },
    signal,
    // Ours: one loop, one deadline, our own errors, and no key sent to another origin.
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    redirect: "manual",
    ...(body !== undefined && { body }),
    // ky always hands over a Request; `async` turns a fetch that throws or forgets the promise into a rejection.
    ...(fetch && {
      fetch: async (outgoing) => fetch(outgoing instanceof Request ? outgoing : new Request(outgoing)),
    }),
  });
}
