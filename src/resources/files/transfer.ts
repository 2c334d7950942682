import type { Outgoing } from "../../client/call/attempt.js";
import { Call } from "../../client/call/call.js";
import type { Core } from "../../client/client.js";
import { readCallOptions } from "../../client/options/checks.js";
import type { Settings } from "../../client/options/settings.js";
import type { Received } from "../../client/received-response.js";
import type { RequestOptions } from "../../client/request-options.js";
import type { RunningCall } from "../../client/running-call.js";
import { ResponseError } from "../../errors/connection.js";
import { ValidationError } from "../../errors/local.js";
import { alsoHiding } from "../../shared/redact.js";

/** Bytes to or from a signed URL outside the service. Only its own headers are sent, and no key. */
export interface TransferRequest extends Outgoing {
  /** The method it belongs to, for errors: `files.upload`. */
  readonly operation: string;
  /** Absolute. It's a secret: no error shows its query. */
  readonly url: string;
}

/**
 * Sends bytes to, or fetches them from, a signed URL outside the service.
 *
 * @throws {ValidationError} for a URL or an option. Nothing was sent.
 */
export async function transferBytes(
  core: Core,
  request: TransferRequest,
  given: RequestOptions = {},
): Promise<Pick<Received, "bytes" | "headers">> {
  const { context } = core;
  const { operation: name, method, url } = request;
  const { options, problems } = readCallOptions(given, context.settings.fetch);
  const origin = checkedOrigin(request, problems, context.settings);
  // The signature of a URL is in its query, and an injected fetch may put the URL into its errors.
  // Storages repeat it alone, too.
  const hide = alsoHiding(context.redact, signatureIn(url));
  const redact = (text: string) => hide(text).replace(/\?\S+/g, "?***");
  // No credential and no share in the rate limit: the host is another one. The same bytes go to the same place, so a
  // retry changes nothing more.
  const endpoint = { name, method, path: "", auth: [], retry: "idempotent", response: {} } as const;
  const call = new Call(endpoint, {}, options, { ...context, redact }, { request, origin, read: readTransferred });
  options.signal?.throwIfAborted();
  const { data, meta } = await call.run();
  // The bytes that `read` returned.
  return { bytes: data as Received["bytes"], headers: meta.headers };
}

/** The bytes of a storage's response. @throws {ResponseError} if it rejected the request. */
function readTransferred({ isServed, status, waitMs, bytes }: Received, call: RunningCall): unknown {
  if (isServed) return bytes;
  const snippet = call.redact(new TextDecoder().decode(bytes.subarray(0, 20_000))).slice(0, 200);
  throw new ResponseError(`the storage at ${call.origin} responded ${status}.${adviceFor(status)}`, {
    ...call.facts(),
    status,
    snippet: snippet === "" ? undefined : snippet,
    retryAfterMs: waitMs || undefined,
  });
}

/** The values of a URL's query that are long enough to be a signature, or to belong to one. */
function signatureIn(url: string): string[] {
  return [...new URL(url).searchParams.values()].filter((value) => value.length >= 16);
}

function checkedOrigin({ operation, url }: TransferRequest, found: readonly string[], settings: Settings): string {
  const problems = [...found];
  const target = URL.canParse(url) ? new URL(url) : undefined;
  // A signed URL is a credential, so plain http is allowed only if the service itself uses it.
  const isAllowed = target?.protocol === "https:" || (target?.protocol === "http:" && /^http:/.test(settings.baseUrl));
  if (!target || !isAllowed) problems.push("the file's URL must be an absolute https URL.");
  if (target?.username || target?.password) problems.push("the file's URL must not contain a user name or password.");
  if (problems.length > 0) throw new ValidationError(operation, problems.join(" "));
  return target?.origin ?? "";
}

/** How storages respond to a URL that has expired. */
const GONE = [400, 401, 403, 404, 410];

function adviceFor(status: number): string {
  // Browsers report an unfollowed redirect as status 0.
  if (status < 400) return " Redirects aren't followed.";
  return GONE.includes(status) ? " A signed URL expires: request a new one." : "";
}
