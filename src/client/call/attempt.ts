import ky from "ky";
import type { CallPhase } from "../../errors/connection.js";
import { AttemptFailure, type FailureKind } from "../attempt-failure.js";
import type { HttpMethod } from "../endpoint.js";
import { Received } from "../received-response.js";
import { CallEnded, type RunningCall } from "../running-call.js";

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

/** One request and its response, as far as they have come. */
class HttpExchange {
  phase: CallPhase = "queue";
  readonly #request: Outgoing;
  readonly #call: RunningCall;
  readonly #signal: AbortSignal;
  /** Only the runtime's own fetch connects before it reads a body, and follows no redirect. */
  readonly #isRuntimes: boolean;
  /** The `Request` for a fetch that takes nothing else. */
  #given: Request | undefined;
  #received: Received | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(request: Outgoing, call: RunningCall, signal: AbortSignal) {
    const { fetch } = call.settings;
    this.#request = request;
    this.#call = call;
    this.#signal = signal;
    this.#isRuntimes = !fetch || fetch === globalThis.fetch;
  }

  /** Sends the request, and reads the response to the end. */
  async run(): Promise<Received> {
    const { clock, maxBodyBytes } = this.#call.settings;
    // ky doesn't build the request: its merging and its own signal would cost more than the rest of the call.
    const fetch = this.#send.bind(this);
    const response = await ky(this.#request.url, { retry: 0, timeout: false, throwHttpErrors: false, fetch });
    const received = new Received(response, clock);
    const { status, pieces } = received;
    this.#received = received;
    this.phase = "body";
    const reader = response.body?.getReader();
    this.#reader = reader;
    // A fetch that ignores its signal may respond after the call has ended.
    if (this.#signal.aborted) void this.#cancel();
    const maxBytes = status >= 400 ? Math.min(maxBodyBytes, MAX_ERROR_BYTES) : maxBodyBytes;
    let length = 0;
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      // An injected fetch's body may contain anything.
      if (!ArrayBuffer.isView(piece.value)) throw new TypeError("The body contains a piece that isn't bytes.");
      length += piece.value.byteLength;
      if (length > maxBytes) throw new AttemptFailure("too_large", "body", { status });
      pieces.push(piece.value);
    }
    // A canceled body ends too.
    received.isWhole = !this.#signal.aborted;
    return received;
  }

  async #send(): Promise<Response> {
    const { fetch } = this.#call.settings;
    this.#signal.throwIfAborted();
    this.#call.onSend();
    // A listener may have ended the call.
    this.#signal.throwIfAborted();
    this.phase = "headers";
    const { method, url, headers, body = null } = this.#request;
    const init = { method, headers: { ...headers }, body, redirect: "manual", signal: this.#signal } as const;
    // A `Request` costs as much as everything else here, so create one only if needed.
    if (!this.#isRuntimes && !fetch?.acceptsInit) this.#given = new Request(url, init);
    // `acceptsInit` states that it takes these arguments.
    const sent = this.#given
      ? fetch?.(this.#given)
      : ((fetch ?? globalThis.fetch) as typeof globalThis.fetch)(url, init);
    // It may not return a promise, or anything, including a network error as a `Response`.
    const response = await sent;
    if (typeof response?.headers?.get === "function" && response.type !== "error") return response;
    throw new TypeError("fetch didn't return a usable Response");
  }

  /** The response, if its status is an error: that is never lost, even if its body broke off. Otherwise the failure. */
  failed(error: unknown): Received | AttemptFailure {
    void this.#cancel();
    const hasBegun = !this.#isRuntimes && (this.#given?.bodyUsed ?? true);
    const failure =
      error instanceof AttemptFailure
        ? error
        : new AttemptFailure("connection", this.phase, { cause: error, hasBegun });
    const received = this.#received;
    return received && received.status >= 400 && failure.kind !== "caller" ? received : failure;
  }

  /** Cancels the body: one that isn't read to its end keeps its connection. */
  async #cancel(): Promise<void> {
    try {
      await this.#reader?.cancel();
    } catch {
      // Nothing of it is used anymore.
    }
  }
}

/**
 * Sends one request and reads its response to the end, within the limits of the call. Doesn't follow redirects, doesn't
 * retry, never rejects.
 */
export async function attempt(request: Outgoing, call: RunningCall): Promise<Received | AttemptFailure> {
  const controller = new AbortController();
  const exchange = new HttpExchange(request, call, controller.signal);
  let end: (kind: FailureKind) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = (kind) => {
      const failure = new AttemptFailure(kind, exchange.phase);
      reject(failure);
      controller.abort(failure);
    };
  });
  const timer = setTimeout(() => end("timeout"), call.timeoutMs);
  const onAbort = () => end(call.signal?.reason instanceof CallEnded ? call.signal.reason.by : "caller");
  call.signal?.addEventListener("abort", onAbort);
  try {
    // The first to settle counts: an injected fetch may ignore its signal.
    return await Promise.race([exchange.run(), ended]);
  } catch (error) {
    return exchange.failed(error);
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", onAbort);
  }
}
