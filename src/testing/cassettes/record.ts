import * as option from "../../errors/option-rules.js";
import { type Exchange, toBody, writeCassette } from "./cassette.js";
import { ScrubbedExchanges } from "./scrub.js";

/** Options of `recordFetch`. */
export interface RecordOptions {
  /** The cassette to write. A recording replaces the file with its first response. */
  readonly file: string;
  /**
   * Sends the requests.
   * @default the runtime's `fetch`
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * Creates a `fetch` that records each request with its response in a cassette: readable JSON without credentials and
 * user ids. The file is complete when a response arrives, so there is nothing to close.
 *
 * ```ts
 * const svc = process.env["RECORD"]
 *   ? new Svc({ fetch: recordFetch({ file }) })
 *   : new Svc({ baseUrl: "https://api.example.com", apiKey: "ak_replay", fetch: replayFetch({ file }) });
 * ```
 *
 * Requests without a response, because the connection failed, aren't recorded. Bodies are read to their end before the
 * caller gets the response.
 *
 * @throws {ConfigError} without a file, and for an unknown or invalid option. A call rejects if the file can't be
 * written.
 */
export function recordFetch(options: RecordOptions): (request: Request) => Promise<Response> {
  const rules = { file: option.required(option.NAME), fetch: option.FUNCTION };
  const { file, fetch } = option.checkAll("recordFetch", options, rules);
  const exchanges = new ScrubbedExchanges();
  let sent = 0;
  let written: Promise<void> = Promise.resolve();
  const write = () => {
    const text = exchanges.toString();
    // One at a time, even if an earlier write failed.
    written = written.catch(() => undefined).then(() => writeCassette(file, text));
    return written;
  };
  return async (request) => {
    const index = sent;
    sent += 1;
    const recorded = await recordedRequest(request.clone());
    const response = await (fetch ?? globalThis.fetch)(request);
    const bytes = new Uint8Array(await response.clone().arrayBuffer());
    const headers = Object.fromEntries(response.headers);
    exchanges.add(index, { request: recorded, response: { status: response.status, headers, ...toBody(bytes) } });
    await write();
    return response;
  };
}

/** A request as it is compared and recorded, with its credentials. */
export async function recordedRequest(request: Request): Promise<Exchange["request"]> {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  const body = toBody(new Uint8Array(await request.arrayBuffer()));
  return { method, path: pathname + search, headers: Object.fromEntries(headers), ...body };
}
