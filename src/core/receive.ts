import type { Phase } from "../errors/connection.js";
import { type AnswerHead, readHead } from "./answer.js";
import { AttemptFailure, type FailureKind } from "./attempt-failure.js";
import type { Clock } from "./clock.js";
import { CallEnded } from "./scope.js";

/** What bounds one attempt. */
export interface Bounds {
  /** For the head and the body together, in milliseconds. */
  readonly timeoutMs: number;
  /** The call's own signal, where something can end the call. */
  readonly signal: AbortSignal | undefined;
  /** The largest body that is read, in decoded bytes. */
  readonly maxBodyBytes: number;
  /** Tells when an answer came. */
  readonly clock: Clock;
}

/** Sends a request. When it goes out it calls `goOut`, for the signal to go along; that throws where the attempt is over. */
type Send = (goOut: () => AbortSignal) => Promise<Response>;

/** Puts together what came. */
export type ResultOf<Result> = (head: AnswerHead, pieces: readonly Uint8Array[], isWhole: boolean) => Result;

/** The largest error body that is read, in bytes: what says why a call failed is short. */
const MAX_ERROR_BYTES = 1024 * 1024;

/**
 * Makes one attempt within its bounds: sends a request and receives the answer to its end. A failing status is an answer even
 * where its body broke off, so that it is never lost. Never rejects.
 *
 * @param onSend - Called when the request goes out. It may end the call.
 */
export function receive<Result>(
  send: Send,
  bounds: Bounds,
  onSend: () => void,
  resultOf: ResultOf<Result>,
): Promise<Result | AttemptFailure> {
  // One promise, settled by whatever comes first: an injected fetch may not listen to its signal.
  return new Promise((resolve) => new Attempt(bounds, resultOf, resolve).begin(send, onSend));
}

class Attempt<Result> {
  readonly #bounds: Bounds;
  readonly #resultOf: ResultOf<Result>;
  readonly #resolve: (result: Result | AttemptFailure) => void;
  /** Lets go of the call's signal. */
  #leave: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #controller = new AbortController();
  #phase: Phase = "queue";
  // What came before the attempt ended, for whatever reason.
  #head: AnswerHead | undefined;
  readonly #pieces: Uint8Array[] = [];
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(bounds: Bounds, resultOf: ResultOf<Result>, resolve: (result: Result | AttemptFailure) => void) {
    this.#bounds = bounds;
    this.#resultOf = resultOf;
    this.#resolve = resolve;
  }

  begin(send: Send, onSend: () => void): void {
    const { signal, timeoutMs } = this.#bounds;
    this.#timer = setTimeout(() => this.#end("timeout"), timeoutMs);
    if (signal) {
      const onAbort = () =>
        this.#end(signal.reason instanceof CallEnded && signal.reason.by === "deadline" ? "deadline" : "caller");
      signal.addEventListener("abort", onAbort);
      this.#leave = () => signal.removeEventListener("abort", onAbort);
    }
    this.#read(send, onSend).then(
      (result) => this.#settle(result),
      (error: unknown) =>
        this.#fail(error instanceof AttemptFailure ? error : new AttemptFailure("connection", this.#phase, error)),
    );
  }

  async #read(send: Send, onSend: () => void): Promise<Result> {
    const { clock, maxBodyBytes } = this.#bounds;
    const { signal } = this.#controller;
    const response = await send(() => {
      signal.throwIfAborted();
      onSend();
      // Whoever was told may have ended it.
      signal.throwIfAborted();
      this.#phase = "headers";
      return signal;
    });
    const head = readHead(response, clock.now());
    this.#head = head;
    this.#phase = "body";
    if (response.body === null) return this.#resultOf(head, this.#pieces, true);
    const reader = response.body.getReader();
    this.#reader = reader;
    // A fetch that did not listen may answer when nobody waits any more.
    if (signal.aborted) this.#letGo();
    const maxBytes = head.status >= 400 ? Math.min(maxBodyBytes, MAX_ERROR_BYTES) : maxBodyBytes;
    let length = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      // An injected fetch may have made the body of anything.
      if (!ArrayBuffer.isView(piece.value)) throw new TypeError("The body holds a piece that is not bytes.");
      length += piece.value.byteLength;
      if (length > maxBytes) throw new AttemptFailure("too_large", "body", undefined, head.status);
      this.#pieces.push(piece.value);
    }
    return this.#resultOf(head, this.#pieces, true);
  }

  #end(kind: FailureKind): void {
    const failure = new AttemptFailure(kind, this.#phase);
    this.#fail(failure);
    this.#controller.abort(failure);
  }

  #fail(failure: AttemptFailure): void {
    const head = this.#head;
    const isAnswer = head && head.status >= 400 && failure.kind !== "caller";
    this.#settle(isAnswer ? this.#resultOf(head, this.#pieces, false) : failure);
    this.#letGo();
  }

  #settle(result: Result | AttemptFailure): void {
    clearTimeout(this.#timer);
    this.#leave?.();
    this.#resolve(result);
  }

  /** Ends the reading of a body: what is not read to its end keeps its connection. */
  #letGo(): void {
    this.#reader?.cancel().catch(() => undefined);
  }
}
