import ky from "ky";
import type { CallPhase } from "../../errors/connection.js";
import type { HttpMethod } from "../endpoint.js";
import { Received } from "../received.js";
import { AttemptFailure, CallEnded, type FailureKind, type RunningCall } from "../running-call.js";

export interface Outgoing {
  readonly method: HttpMethod;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A request in place of the endpoint's, to a different host, such as a file storage. */
export interface ForeignRequest {
  readonly request: Outgoing;
  /** Scheme, host and port. */
  readonly origin: string;
  /** The data of a response. Throws a typed error if the response has none. */
  read(received: Received, call: RunningCall): unknown;
}

/** Maximum size of an error body in bytes: the reason of a failure is short. */
const MAX_ERROR_BYTES = 1024 * 1024;

/**
 * Sends one request and reads its response to the end, within the limits of the call. An error status is a response
 * even if its body broke off, so that it is never lost. Doesn't follow redirects, doesn't retry, never rejects.
 */
export async function attempt(request: Outgoing, call: RunningCall): Promise<Received | AttemptFailure> {
  const { fetch, maxBodyBytes, clock } = call.settings;
  const controller = new AbortController();
  let phase: CallPhase = "queue";
  let received: Received | undefined;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  // Only the runtime's own fetch connects before it reads a body, and follows no redirect.
  const isRuntimes = !fetch || fetch === globalThis.fetch;
  let given: Request | undefined;

  const send = async (): Promise<Response> => {
    controller.signal.throwIfAborted();
    call.onSend();
    // A listener may have ended the call.
    controller.signal.throwIfAborted();
    phase = "headers";
    const { method, url, headers, body = null } = request;
    const init = { method, headers: { ...headers }, body, redirect: "manual", signal: controller.signal } as const;
    // A `Request` costs as much as everything else here, so create one only if needed.
    if (!isRuntimes && !fetch.acceptsInit) given = new Request(url, init);
    // `acceptsInit` states that it takes these arguments.
    const sent = given ? fetch?.(given) : ((fetch ?? globalThis.fetch) as typeof globalThis.fetch)(url, init);
    // It may not return a promise, or anything, including a network error as a `Response`.
    const response = await sent;
    if (typeof response?.headers?.get === "function" && response.type !== "error") return response;
    throw new TypeError("fetch didn't return a usable Response");
  };

  const exchange = async (): Promise<Received> => {
    // ky doesn't build the request: its merging and its own signal would cost more than the rest of the call.
    const response = await ky(request.url, { retry: 0, timeout: false, throwHttpErrors: false, fetch: send });
    received = new Received(response, clock);
    const { status, pieces } = received;
    phase = "body";
    reader = response.body?.getReader();
    // A fetch that ignores its signal may respond after the call has ended.
    if (controller.signal.aborted) void letGo();
    const maxBytes = status >= 400 ? Math.min(maxBodyBytes, MAX_ERROR_BYTES) : maxBodyBytes;
    let length = 0;
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      // An injected fetch's body may contain anything.
      if (!ArrayBuffer.isView(piece.value)) throw new TypeError("The body contains a piece that isn't bytes.");
      length += piece.value.byteLength;
      if (length > maxBytes) throw new AttemptFailure("too_large", "body", undefined, status);
      pieces.push(piece.value);
    }
    // A canceled body ends too.
    received.isWhole = !controller.signal.aborted;
    return received;
  };

  /** Cancels the body: one that isn't read to its end keeps its connection. */
  const letGo = async () => {
    try {
      await reader?.cancel();
    } catch {
      // Nothing of it is used anymore.
    }
  };

  let end: (kind: FailureKind) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = (kind) => {
      const failure = new AttemptFailure(kind, phase);
      reject(failure);
      controller.abort(failure);
    };
  });
  const timer = setTimeout(() => end("timeout"), call.timeoutMs);
  const onAbort = () => end(call.signal?.reason instanceof CallEnded ? call.signal.reason.by : "caller");
  call.signal?.addEventListener("abort", onAbort);
  try {
    // The first to settle counts: an injected fetch may ignore its signal.
    return await Promise.race([exchange(), ended]);
  } catch (error) {
    void letGo();
    const hasBegun = !isRuntimes && (given?.bodyUsed ?? true);
    const failure =
      error instanceof AttemptFailure ? error : new AttemptFailure("connection", phase, error, undefined, hasBegun);
    return received && received.status >= 400 && failure.kind !== "caller" ? received : failure;
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", onAbort);
  }
}
