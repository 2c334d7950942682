import { replaceInUrls } from "../../shared/secret-names.js";
import { type ActivityFeed, callListener } from "./activity.js";
import type { EmulatorClock } from "./clock.js";
import { BrokenConnection } from "./faults.js";
import { readBytes } from "./read-request.js";
import { REDACTED, type Recording, record } from "./recording.js";
import type { InjectedFault, RequestRecord } from "./schema.js";

const KEPT_REQUESTS = 1_000;

/** How many characters of bodies are kept, of all requests together. */
const KEPT_BODIES = 8_000_000;

/** How many of the latest requests are searched for an earlier attempt. */
const LOOKED_BACK = 100;

/** A request to log. */
interface LoggedRequest {
  readonly request: Request;
  readonly url: URL;
  readonly operation?: { readonly endpoint: { readonly name: string } };
  readonly fault?: InjectedFault | undefined;
}

/** The messages of a logged request. */
interface Exchange {
  readonly entry: RequestRecord;
  readonly request: Recording;
  readonly response: Recording | undefined;
}

/**
 * The latest requests. Not part of the state: it tells what callers did, not what the service knows.
 *
 * @param secrets values to mask wherever they occur.
 * @param onRequest called with each request after its response.
 */
export function requestLog(
  clock: EmulatorClock,
  feed: ActivityFeed,
  secrets: () => readonly string[],
  onRequest: ((record: RequestRecord) => void) | undefined,
) {
  /** Oldest first. */
  const items: RequestRecord[] = [];
  /** The latest ones, which still have their bodies, and the characters of those. */
  let withBodies: Exchange[] = [];
  let characters = 0;
  /** How often it was cleared. */
  let cleared = 0;

  /** Retries follow closely, so a look at the latest requests is enough. */
  const attemptOf = (method: string, path: string, { sent }: Recording): number => {
    for (const { entry, request } of withBodies.slice(-LOOKED_BACK).reverse()) {
      if (entry.method !== method || entry.path !== path || request.sent !== sent) continue;
      const { status, attempt } = entry;
      return status === undefined || status === 429 || status >= 500 ? attempt + 1 : 1;
    }
    return 1;
  };

  /** Drops the oldest bodies. */
  const trim = () => {
    while (withBodies.length > KEPT_REQUESTS || characters > KEPT_BODIES) {
      const oldest = withBodies.shift();
      if (!oldest) return;
      const { request, response } = oldest;
      characters -= request.characters + (response?.characters ?? 0);
      request.drop();
      response?.drop();
    }
  };

  const add = (
    { request, url, operation, fault }: LoggedRequest,
    outcome: Pick<RequestRecord, "at" | "durationMs" | "status">,
    answer: Response | undefined,
  ) => {
    const masked = secrets();
    const { method } = request;
    const path = url.pathname + replaceInUrls(url.search, REDACTED);
    const sent = record(request, masked);
    const response = answer && record(answer, masked);
    const { message } = sent;
    const entry: RequestRecord = {
      ...outcome,
      method,
      path,
      operation: operation?.endpoint.name,
      attempt: attemptOf(method, path, sent),
      // A spread would compute them.
      get headers() {
        return message.headers;
      },
      get body() {
        return message.body;
      },
      get bytes() {
        return message.bytes;
      },
      response: response?.message,
      ...(fault && { fault: fault.connection ?? (fault.status === undefined ? "delay" : `status ${fault.status}`) }),
    };
    items.push(entry);
    if (items.length > KEPT_REQUESTS) items.shift();
    withBodies.push({ entry, request: sent, response });
    characters += sent.characters + (response?.characters ?? 0);
    trim();
    if (onRequest) callListener(onRequest, entry);
    feed.publish({ type: "request", request: entry });
  };

  return {
    items,

    /** Serves a request and logs it, even if a fault breaks the connection or the caller aborts. */
    record: async <Logged extends LoggedRequest>(logged: Logged, serve: (logged: Logged) => Promise<Response>) => {
      const { request } = logged;
      const [at, startedAt, clearedBefore] = [clock.iso(), performance.now(), cleared];
      let response: Response | undefined;
      let status: number | undefined;
      try {
        response = await serve(logged);
        status = response.status;
        return response;
      } catch (error) {
        if (error instanceof BrokenConnection) response = error.response;
        throw error;
      } finally {
        const durationMs = Math.round((performance.now() - startedAt) * 100) / 100;
        // No handler reads the body if a fault replaced the response or the request was rejected. One without a length
        // might never end on a port, so it stays unread.
        if (request.body && !request.bodyUsed && !request.headers.has("transfer-encoding")) {
          // Whatever is wrong with the body, the response is already known.
          await readBytes(request).catch(() => undefined);
        }
        if (clearedBefore === cleared) add(logged, { at, durationMs, status }, response);
      }
    },

    /** Forgets all requests, those in flight too. */
    clear: () => {
      cleared += 1;
      items.length = 0;
      withBodies = [];
      characters = 0;
    },
  };
}

export type RequestLog = ReturnType<typeof requestLog>;
