import ky from "ky";
import type { Phase } from "../errors/connection.js";
import { AttemptFailure, type FailureKind } from "./attempt-failure.js";
import { readText } from "./body.js";
import type { Method } from "./endpoint.js";
import { CallEnded } from "./scope.js";

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
export interface AttemptOptions {
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  /** The call's own signal, fresh for each call. */
  readonly signal: AbortSignal;
}

/**
 * Sends one request and reads its whole answer within one bound. Follows no redirect, repeats nothing.
 *
 * @throws {AttemptFailure} and nothing else.
 */
export async function send(request: PreparedRequest, options: AttemptOptions): Promise<Answer> {
  const { signal, timeoutMs } = options;
  const controller = new AbortController();
  const progress: Progress = { phase: "headers", head: undefined, text: "" };

  // Raced as well as signalled: an injected fetch may not listen to its signal.
  let end: (kind: FailureKind) => void = () => undefined;
  const ended = new Promise<Answer>((resolve, reject) => {
    end = (kind) => {
      const failure = new AttemptFailure(kind, progress.phase);
      // When time ends a failing answer's body, its status is still worth more than "timed out".
      if (kind !== "aborted" && isFailedStatus(progress)) resolve(soFar(progress));
      else reject(failure);
      controller.abort(failure);
    };
  });
  const timer = setTimeout(() => end("timeout"), timeoutMs);
  const onAbort = () =>
    end(signal.reason instanceof CallEnded && signal.reason.by === "deadline" ? "deadline" : "aborted");
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([ended, exchange(request, options, controller.signal, progress)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

interface Progress {
  phase: Phase;
  head: Response | undefined;
  text: string;
}

async function exchange(
  request: PreparedRequest,
  { fetch, maxBodyBytes }: AttemptOptions,
  signal: AbortSignal,
  progress: Progress,
): Promise<Answer> {
  try {
    const response = await ky(request.url, {
      method: request.method,
      headers: { ...request.headers },
      signal,
      // Ours: one loop, one deadline, our own errors, and no key sent to another origin.
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      redirect: "manual",
      ...(request.body !== undefined && { body: request.body }),
      // ky always hands over a Request; `async` turns a fetch that throws or forgets the promise into a rejection.
      ...(fetch && {
        fetch: async (outgoing) => fetch(outgoing instanceof Request ? outgoing : new Request(outgoing)),
      }),
    });
    progress.head = response;
    progress.phase = "body";
    await readText(response, maxBodyBytes, signal, (text) => {
      progress.text += text;
    });
    return soFar(progress);
  } catch (error) {
    // A failing status is never lost because its body broke off.
    if (isFailedStatus(progress)) return soFar(progress);
    throw error instanceof AttemptFailure ? error : new AttemptFailure("connection", progress.phase, error);
  }
}

function isFailedStatus({ head }: Progress): boolean {
  return head !== undefined && head.status >= 400;
}

function soFar({ head, text }: Progress): Answer {
  return { status: head?.status ?? 0, headers: head?.headers ?? new Headers(), text };
}
