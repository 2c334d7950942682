import ky from "ky";
import type { CallPhase } from "../../errors/connection.js";
import { AttemptFailure, type FailureKind } from "../attempt-failure.js";
import { ATTEMPT_HEADER, type HttpMethod } from "../endpoint.js";
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
  readonly #request: Outgoing;
  readonly #call: RunningCall;
  /** Only the first result counts: an injected fetch may ignore its signal. */
  readonly #resolve: (result: Received | AttemptFailure) => void;
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #onAbort: (() => void) | undefined;
  /** Only the runtime's own fetch connects before it reads a body, and follows no redirect. */
  readonly #isRuntimes: boolean;
  #phase: CallPhase = "queue";
  /** The `Request` for a fetch that takes nothing else. */
  #given: Request | undefined;
  #received: Received | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(request: Outgoing, call: RunningCall, resolve: (result: Received | AttemptFailure) => void) {
    const { settings, signal, timeoutMs } = call;
    this.#request = request;
    this.#call = call;
    this.#resolve = resolve;
    this.#isRuntimes = !settings.fetch || settings.fetch === globalThis.fetch;
    this.#timer = setTimeout(() => this.#end("timeout"), timeoutMs);
    this.#onAbort = signal && (() => this.#end(signal.reason instanceof CallEnded ? signal.reason.by : "caller"));
    if (this.#onAbort) signal?.addEventListener("abort", this.#onAbort);
  }

  /** Sends the request, and reads the response to the end. */
  async run(): Promise<void> {
    const { signal } = this.#controller;
    const { clock, maxBodyBytes } = this.#call.settings;
    try {
      // ky doesn't build the request: its merging and its own signal would cost more than the rest of the call.
      const fetch = this.#send.bind(this);
      const response = await ky(this.#request.url, { retry: 0, timeout: false, throwHttpErrors: false, fetch });
      const received = new Received(response, clock);
      const { status } = received;
      this.#received = received;
      this.#phase = "body";
      const reader = response.body?.getReader();
      this.#reader = reader;
      // A fetch that ignores its signal may respond after the call has ended.
      if (signal.aborted) void this.#cancel();
      const maxBytes = status >= 400 ? Math.min(maxBodyBytes, MAX_ERROR_BYTES) : maxBodyBytes;
      let length = 0;
      for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
        // An injected fetch's body may contain anything.
        if (!ArrayBuffer.isView(piece.value)) throw new TypeError("The body contains a piece that isn't bytes.");
        length += piece.value.byteLength;
        if (length > maxBytes) throw new AttemptFailure("too_large", "body", { status });
        received.add(piece.value);
      }
      // A canceled body ends too.
      if (!signal.aborted) received.end();
      this.#settle(received);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Calls fetch with the request. Rejects if the result isn't a response. */
  async #send(): Promise<Response> {
    const { settings, origin } = this.#call;
    const { fetch } = settings;
    const { signal } = this.#controller;
    signal.throwIfAborted();
    this.#call.onSend();
    // A listener may have ended the call.
    signal.throwIfAborted();
    this.#phase = "headers";
    const { method, url, body = null } = this.#request;
    const headers = { ...this.#request.headers };
    // An emulator shows it.
    if (settings.isLocal && origin === settings.origin) headers[ATTEMPT_HEADER] = String(this.#call.attempts);
    const init = { method, headers, body, redirect: "manual", signal } as const;
    // `acceptsInit` states that it takes these arguments, as the runtime's does.
    const send = (fetch ?? globalThis.fetch) as typeof globalThis.fetch;
    // A `Request` costs as much as everything else here, so create one only if needed.
    if (!this.#isRuntimes && !fetch?.acceptsInit) this.#given = new Request(url, init);
    return usable(await (this.#given ? send(this.#given) : send(url, init)));
  }

  /** Ends the exchange before its time, whatever its fetch does. */
  #end(kind: FailureKind): void {
    const failure = new AttemptFailure(kind, this.#phase);
    this.#controller.abort(failure);
    this.#fail(failure);
  }

  /** The result is the response, if its status is an error: that is never lost, even if its body broke off. */
  #fail(error: unknown): void {
    void this.#cancel();
    const hasBegun = !this.#isRuntimes && (this.#given?.bodyUsed ?? true);
    const failure =
      error instanceof AttemptFailure
        ? error
        : new AttemptFailure("connection", this.#phase, { cause: error, hasBegun });
    const received = this.#received;
    this.#settle(received && received.status >= 400 && failure.kind !== "caller" ? received : failure);
  }

  #settle(result: Received | AttemptFailure): void {
    clearTimeout(this.#timer);
    if (this.#onAbort) this.#call.signal?.removeEventListener("abort", this.#onAbort);
    this.#resolve(result);
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

/** A fetch may return anything, including a network error as a `Response`. */
function usable(response: Response | undefined): Response {
  if (typeof response?.headers?.get === "function" && response.type !== "error") return response;
  throw new TypeError("fetch didn't return a usable Response");
}

/**
 * Sends one request and reads its response to the end, within the limits of the call. Doesn't follow redirects, doesn't
 * retry, never rejects.
 */
export function attempt(request: Outgoing, call: RunningCall): Promise<Received | AttemptFailure> {
  return new Promise((resolve) => void new HttpExchange(request, call, resolve).run());
}
