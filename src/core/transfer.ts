import { ResponseError } from "../errors/connection.js";
import { ValidationError } from "../errors/local.js";
import type { AnswerHead } from "./answer.js";
import { AttemptFailure } from "./attempt-failure.js";
import { joined } from "./body.js";
import { callOptionProblems } from "./checks.js";
import { toConnectionError } from "./failures.js";
import { OpenCall, type Shared } from "./open-call.js";
import type { RequestOptions, Settings } from "./options.js";
import { type Outgoing, send } from "./transport.js";

/** Bytes to or from a signed address outside the service. Its headers are all there are: no key goes along. */
export interface TransferRequest extends Outgoing {
  /** The method it is for, as errors name it: `files.upload`. */
  readonly operation: string;
  /** Absolute. It is a secret: no error shows its query. */
  readonly url: string;
}

/** What came back. */
export interface Transferred extends AnswerHead {
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
  shared: Shared,
): Promise<Transferred> {
  const { operation, method, url } = request;
  const { maxBodyBytes, fetch, clock } = shared.settings;
  const origin = checkedOrigin(request, options, shared.settings);
  options.signal?.throwIfAborted();
  // The same bytes to the same place: a repeat changes nothing more.
  const repeat = method === "GET" ? "safe" : "idempotent";
  const call = new OpenCall({ name: operation, repeat }, options, shared);
  const { timeoutMs, signal } = call;
  const bounds = { fetch, timeoutMs, maxBodyBytes, signal, clock };
  // The signature of an address is in its query, and an injected fetch may put the address into its errors.
  const redact = (text: string) => call.redact(text).replace(/\?\S+/g, "?***");

  const attempt = async (): Promise<Transferred> => {
    // It may have aborted at the end of a wait, and says so only once.
    signal?.throwIfAborted();
    const result = await call.attempt((onSend) => send(request, bounds, onSend, transferred));
    if (result instanceof AttemptFailure) {
      throw toConnectionError(result, { facts: call.facts(), url, timeoutMs, maxBodyBytes, redact });
    }
    const { status, bytes, askedMs } = result;
    if (status >= 200 && status <= 299) return result;
    const snippet = redact(new TextDecoder().decode(bytes.subarray(0, 20_000))).slice(0, 200);
    throw new ResponseError(`the storage at ${origin} answered ${status}.${adviceFor(status)}`, {
      ...call.facts(),
      status,
      snippet: snippet === "" ? undefined : snippet,
      retryAfterMs: askedMs || undefined,
    });
  };

  call.trace?.({ type: "request", method, origin, path: "", tool: undefined });
  return await call.run(() => call.repeat(attempt));
}

function transferred(head: AnswerHead, pieces: readonly Uint8Array[]): Transferred {
  return { ...head, bytes: joined(pieces) };
}

function checkedOrigin({ operation, url }: TransferRequest, options: RequestOptions, settings: Settings): string {
  const problems = callOptionProblems(options);
  const target = URL.canParse(url) ? new URL(url) : undefined;
  // A signed address is a key: it travels over plain http only where the service itself was allowed to be reached so.
  const isAllowed = target?.protocol === "https:" || (target?.protocol === "http:" && /^http:/.test(settings.baseUrl));
  if (!target || !isAllowed) problems.push("the file's address must be an absolute https address.");
  if (target?.username || target?.password) problems.push("the file's address must hold no user name or password.");
  if (problems.length > 0) throw new ValidationError(operation, problems.join(" "));
  return target?.origin ?? "";
}

/** How the storages answer an address that has run out. */
const GONE = [400, 401, 403, 404, 410];

function adviceFor(status: number): string {
  // Browsers show a redirect that is not followed as status 0.
  if (status < 400) return " Redirects are not followed.";
  return GONE.includes(status) ? " A signed address is good for a limited time: ask for a new one." : "";
}
