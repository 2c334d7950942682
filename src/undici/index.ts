import { Agent, type Dispatcher } from "undici";
import { Exchange } from "./exchange.js";
import { readRequest } from "./request.js";

/** A `fetch` created by {@link undiciFetch}. */
export interface UndiciFetch {
  /** Sends a request. Accepts the arguments of `fetch`. */
  (input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Reports that it also takes a URL and options, which is faster than a `Request`. */
  readonly acceptsInit: true;
}

/**
 * Creates a `fetch` for Node that sends through undici's dispatchers, at about half the cost of the built-in one.
 *
 * ```ts
 * const svc = new Svc({ fetch: undiciFetch() });
 * ```
 *
 * It differs from the built-in `fetch` in few ways: redirects are never followed, whatever `redirect` or an interceptor
 * says; a request is started once, so interceptors can't retry it; nothing is cached; only `http:` and `https:` URLs
 * are accepted; a request body of unknown length is sent in chunks. Responses are streamed and decompressed (gzip,
 * deflate, Brotli). A request that fails rejects with a `TypeError` whose `cause` has undici's `code`; an aborted one
 * rejects with the signal's reason.
 *
 * Proxies, client certificates and the number of connections are options of the dispatcher. See the guide "Faster on
 * Node".
 *
 * @param dispatcher - Any dispatcher of undici: an `Agent`, a `Pool` of one origin, a `ProxyAgent`. It's never closed.
 *   Without it, an `Agent` with undici's defaults is created, which keeps no process alive while idle.
 */
export function undiciFetch(dispatcher: Pick<Dispatcher, "dispatch"> = new Agent()): UndiciFetch {
  const fetch = async (input: Request | string | URL, init?: RequestInit): Promise<Response> =>
    await new Exchange(dispatcher, readRequest(input, init)).response;
  return Object.assign(fetch, { acceptsInit: true } as const);
}
