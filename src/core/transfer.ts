import { type CallFacts, ResponseError, TimeoutError } from "../errors/connection.js";
import { ValidationError } from "../errors/local.js";
import { AttemptFailure } from "./attempt-failure.js";
import { readBody } from "./body.js";
import { type Bounds, type Progress, withinBounds } from "./bounded.js";
import { callOptionProblems } from "./checks.js";
import { toConnectionError } from "./failures.js";
import type { RequestOptions, Settings } from "./options.js";
import { withRetries } from "./retry.js";
import type { Shared } from "./run.js";
import { CallEnded, openScope } from "./scope.js";

/** Bytes to or from a signed address outside the service. */
export interface TransferRequest {
  /** The method it is for, as errors name it: `files.upload`. */
  readonly operation: string;
  readonly method: "GET" | "PUT";
  /** Absolute. It is a secret: no error shows more than its origin. */
  readonly url: string;
  /** All headers there are. The client's own headers and keys do not go along. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
}

/** What came back. */
export interface Transferred {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Sends or fetches bytes through the client's own `fetch`, within the bounds of a call, without a credential. Not counted
 * against the service's rate window: it is another host's.
 *
 * @throws a typed error, or the caller's own abort reason, untouched.
 */
export async function transfer(
  request: TransferRequest,
  options: RequestOptions,
  { settings, budget, redact }: Pick<Shared, "settings" | "budget" | "redact">,
): Promise<Transferred> {
  const { operation, method } = request;
  const origin = checkedOrigin(request, options, settings);
  options.signal?.throwIfAborted();
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
  const deadlineMs = options.deadlineMs ?? settings.deadlineMs;
  const { maxBodyBytes, fetch = globalThis.fetch, clock } = settings;
  const scope = openScope(deadlineMs, options.signal, clock);
  let attempts = 0;
  const facts = (): CallFacts => ({ operation, attempts, outcome: undefined });
  // The signature of an address is in its query, and an injected fetch may put the address into its errors.
  const hide = (text: string) => redact(text).replace(/\?\S+/g, "?***");

  const attempt = async (): Promise<Transferred> => {
    // It may have aborted at the end of a wait, and says so only once.
    scope.signal.throwIfAborted();
    attempts += 1;
    const bounds = { fetch, timeoutMs, maxBodyBytes, signal: scope.signal };
    const result = await exchange(request, bounds).catch(asFailure);
    if (result instanceof AttemptFailure) {
      if (result.kind === "aborted") throw new CallEnded("caller");
      throw toConnectionError(result, {
        facts: facts(),
        url: request.url,
        timeoutMs,
        deadlineMs,
        maxBodyBytes,
        redact: hide,
      });
    }
    const { status, bytes } = result;
    if (status >= 200 && status <= 299) return result;
    const snippet = hide(new TextDecoder().decode(bytes.subarray(0, 1_000))).slice(0, 200);
    throw new ResponseError(`the storage at ${origin} answered ${status}.${adviceFor(status)}`, {
      ...facts(),
      status,
      snippet: snippet === "" ? undefined : snippet,
    });
  };

  try {
    return await withRetries(attempt, {
      // The same bytes to the same place: a repeat changes nothing more.
      repeat: method === "GET" ? "safe" : "idempotent",
      maxRetries: options.maxRetries ?? settings.maxRetries,
      maxRetryWaitMs: settings.maxRetryWaitMs,
      budget,
      clock,
      signal: scope.signal,
      timeLeft: scope.timeLeft,
    });
  } catch (error) {
    if (!(error instanceof CallEnded)) throw error;
    if (error.by === "caller") throw options.signal?.reason;
    throw new TimeoutError({
      ...facts(),
      phase: "retry_wait",
      timeoutMs: deadlineMs ?? timeoutMs,
      bound: "deadlineMs",
    });
  } finally {
    scope.close();
  }
}

function checkedOrigin({ operation, url }: TransferRequest, options: RequestOptions, settings: Settings): string {
  const problems = callOptionProblems(options);
  const target = URL.canParse(url) ? new URL(url) : undefined;
  // A signed address is a key: it travels over plain http only where the service itself was allowed to be reached so.
  const isAllowed = target?.protocol === "https:" || (target?.protocol === "http:" && /^http:/.test(settings.baseUrl));
  if (!target || !isAllowed) problems.push("the file's address must be an absolute https address.");
  if (problems.length > 0) throw new ValidationError(operation, problems.join(" "));
  return target?.origin ?? "";
}

interface AttemptOptions extends Bounds {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly maxBodyBytes: number;
}

/** One attempt within its bounds. Follows no redirect: the bytes are for the signed address and no other. */
function exchange({ method, url, headers, body }: TransferRequest, options: AttemptOptions): Promise<Transferred> {
  const progress: Progress = { phase: "headers" };
  return withinBounds(options, progress, async (signal) => {
    const init = { method, headers: { ...headers }, signal, redirect: "manual" } as const;
    const response = await options.fetch(new Request(url, body === undefined ? init : { ...init, body }));
    progress.phase = "body";
    const pieces: Uint8Array[] = [];
    await readBody(response, options.maxBodyBytes, signal, (piece) => pieces.push(piece));
    return { status: response.status, headers: response.headers, bytes: joined(pieces) };
  });
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}

function asFailure(error: unknown): AttemptFailure {
  if (error instanceof AttemptFailure) return error;
  throw error;
}

/** How the storages answer an address that has run out. */
const GONE = [400, 401, 403, 404, 410];

function adviceFor(status: number): string {
  // Browsers show a redirect that is not followed as status 0.
  if (status < 400) return " Redirects are not followed.";
  return GONE.includes(status) ? " A signed address is good for a limited time: ask for a new one." : "";
}
