import ky from "ky";
import { type Answer, type AnswerHead, answered, readHead } from "./answer.js";
import { readBody } from "./body.js";
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
  let text = "";
  const work = async (signal: AbortSignal): Promise<Answer> => {
    const response = await sendWithKy(request, options.fetch, signal);
    head = readHead(response, options.clock.now());
    progress.phase = "body";
    const decoder = new TextDecoder();
    const { maxBodyBytes } = options;
    const maxBytes = head.status >= 400 ? Math.min(maxBodyBytes, MAX_ERROR_BYTES) : maxBodyBytes;
    await readBody(response, maxBytes, signal, (piece) => {
      text += decoder.decode(piece, { stream: true });
    });
    return { ...head, text: text + decoder.decode() };
  };
  // A failing status is never lost because its body broke off.
  const rescue = () => (head && head.status >= 400 ? { ...head, text } : undefined);
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
    // Ours: one loop, one deadline, our own errors, and no key sent to another origin.
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    redirect: "manual",
    ...(body !== undefined && { body }),
    // The runtime's own fetch takes the signal beside the Request, which spares ky's costly copy of it; an injected one finds it
    // in the Request. `async` turns a fetch that throws, or forgets the promise, into a rejection.
    ...(fetch
      ? { signal, fetch: async (outgoing) => answered(await fetch(asRequest(outgoing))) }
      : { fetch: (outgoing) => globalThis.fetch(outgoing, { signal }) }),
  });
}

function asRequest(outgoing: RequestInfo | URL): Request {
  return outgoing instanceof Request ? outgoing : new Request(outgoing);
}
