import * as option from "../../errors/option-rules.js";
import { rejectionBy } from "../../shared/timers.js";
import { type Exchange, type RecordedBody, type RecordedRequest, readCassette, toBytes } from "./cassette.js";
import { type Bindings, compare, fill, fillValue, nearest } from "./match.js";
import { recordedRequest } from "./record.js";

/** Options of `replayFetch`. */
export interface ReplayOptions {
  /** The cassette, which `recordFetch` wrote. */
  readonly file: string;
  /**
   * `strict`: requests come in the recorded order with the recorded bodies, each once. `loose`: method, path, and query
   * are enough, in any order; the last of several equal ones is repeated.
   * @default "strict"
   */
  readonly match?: "strict" | "loose" | undefined;
}

/**
 * Creates a `fetch` that responds from a cassette and sends nothing. A user id matches each place that the recording
 * had for one user, and responses contain it in the same places. Any key is accepted.
 *
 * ```ts
 * const svc = process.env["RECORD"]
 *   ? new Svc({ fetch: recordFetch({ file }) })
 *   : new Svc({ baseUrl: "https://api.example.com", apiKey: "ak_replay", fetch: replayFetch({ file }) });
 * ```
 *
 * A request that wasn't recorded gets a 501, whose message shows the nearest recorded request. The client doesn't retry
 * it.
 *
 * @throws {ConfigError} for a file that is missing or isn't a cassette, and for an unknown or invalid option.
 */
export function replayFetch(options: ReplayOptions): (request: Request) => Promise<Response> {
  const rules = { file: option.required(option.NAME), match: option.oneOf("strict", "loose") };
  const { file, match = "strict" } = option.checkAll("replayFetch", options, rules);
  const { exchanges } = readCassette(file, "replayFetch");
  const played = new Set<Exchange>();
  let bindings: Bindings = new Map();

  const find = (sent: RecordedRequest): Exchange | undefined => {
    const isStrict = match === "strict";
    const left = exchanges.filter((exchange) => !played.has(exchange));
    const candidates = isStrict ? left.slice(0, 1) : [...left, ...[...played].reverse()];
    for (const exchange of candidates) {
      const compared = compare(exchange.request, sent, bindings, !isStrict);
      if (compared.differences.length > 0) continue;
      bindings = compared.bindings;
      // As the last one, which is the first to repeat.
      played.delete(exchange);
      played.add(exchange);
      return exchange;
    }
    return undefined;
  };

  const respond = async (request: Request, earlier: Promise<unknown>): Promise<Response> => {
    request.signal.throwIfAborted();
    const read = Promise.all([recordedRequest(request.clone()), earlier]);
    const [sent] = await Promise.race([read, rejectionBy(request.signal)]);
    const exchange = find(sent);
    return exchange ? replayed(exchange, bindings) : unmatched(sent, { file, match, exchanges, played, bindings });
  };

  // In the order in which they were sent, as they were recorded: without a body, a later one is read sooner.
  let earlier: Promise<unknown> = Promise.resolve();
  return (request) => {
    const response = respond(request, earlier);
    earlier = Promise.allSettled([earlier, response]);
    return response;
  };
}

function replayed({ response }: Exchange, bindings: Bindings): Response {
  const { status, headers = {} } = response;
  const isEmpty = [101, 204, 205, 304].includes(status);
  return new Response(isEmpty ? null : toBytes(filled(response, bindings)), {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value, bindings)])),
  });
}

function filled({ json, text, base64 }: RecordedBody, bindings: Bindings): RecordedBody {
  if (json !== undefined) return { json: fillValue(json, bindings) };
  if (text !== undefined) return { text: fill(text, bindings) };
  return base64 === undefined ? {} : { base64: fill(base64, bindings) };
}

interface Replay {
  readonly file: string;
  readonly match: "strict" | "loose";
  readonly exchanges: readonly Exchange[];
  readonly played: ReadonlySet<Exchange>;
  readonly bindings: Bindings;
}

/** A response rather than a rejection, because the client would retry a read that got no response. */
function unmatched(sent: RecordedRequest, { file, match, exchanges, played, bindings }: Replay): Response {
  const left = exchanges.filter((exchange) => !played.has(exchange));
  // The query may contain credentials.
  const shown = `${sent.method} ${sent.path.split("?")[0]}`;
  const message = `${file} has no response for ${shown}. ${reason()} Record the cassette again, or check the request.`;
  const error = { message, code: 10501, slug: "Cassette_NoMatch", status: 501, request_id: "cassette" };
  return Response.json({ error }, { status: 501 });

  function reason(): string {
    const [next] = left;
    if (match === "strict" && next === undefined) return `All ${exchanges.length} recorded requests were replayed.`;
    const isStrict = match === "strict";
    const like = nearest(isStrict ? left.slice(0, 1) : exchanges, sent, bindings, !isStrict);
    if (!like) return "It's empty.";
    const { request, differences } = like;
    const number = isStrict ? played.size + 1 : like.number;
    const kind = isStrict ? "The next recorded request" : "The nearest recorded request";
    const elsewhere = isStrict ? placeOf() : "";
    return `${kind} is number ${number}, ${request.method} ${request.path}, with these differences: ${differences.slice(0, 5).join("; ")}.${elsewhere}`;
  }

  /** Whether it was recorded at another place, which says that only the order is different. */
  function placeOf(): string {
    const index = exchanges.findIndex(
      ({ request }) => compare(request, sent, bindings, false).differences.length === 0,
    );
    return index === -1
      ? ""
      : ` The request itself was recorded as number ${index + 1}; match: "loose" allows any order.`;
  }
}
