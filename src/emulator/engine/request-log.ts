import { ATTEMPT_HEADER } from "../../client/endpoint.js";
import { REDACTED } from "../../shared/control-plane.js";
import { replaceInUrls } from "../../shared/secret-names.js";
import { type ActivityFeed, callListener } from "./activity.js";
import type { EmulatorClock } from "./clock.js";
import type { InjectedFault } from "./fault-schema.js";
import { BrokenConnection } from "./faults.js";
import { readBytes } from "./read-body.js";
import { Recording, recordedMessage } from "./recording.js";
import type { RequestRecord } from "./request-schema.js";

const KEPT_REQUESTS = 1_000;

/** How many characters of bodies are kept, of all requests together. */
const KEPT_BODIES = 8_000_000;

/** A request to log. */
interface LoggedRequest {
  readonly request: Request;
  readonly url: URL;
  readonly operation?: { readonly endpoint: { readonly name: string } };
  readonly fault?: InjectedFault | undefined;
}

/** The messages of a logged request. */
interface LoggedExchange {
  readonly sent: Recording;
  readonly received: Recording | undefined;
  /** Characters of their bodies. */
  readonly characters: number;
}

type RequestOutcome = Pick<RequestRecord, "at" | "realTime" | "durationMs" | "status">;

/** The latest requests. Not part of the state: it tells what callers did, not what the service knows. */
export class RequestLog {
  /** Oldest first. */
  readonly items: RequestRecord[] = [];
  readonly #clock: EmulatorClock;
  readonly #feed: ActivityFeed;
  readonly #secrets: () => readonly string[];
  readonly #onRequest: ((record: RequestRecord) => void) | undefined;
  /** The latest ones, which still have their bodies, and the characters of those. */
  #withBodies: LoggedExchange[] = [];
  #characters = 0;
  /** How often it was cleared. */
  #cleared = 0;

  /**
   * @param secrets values to mask wherever they occur.
   * @param onRequest called with each request after its response.
   */
  constructor(
    clock: EmulatorClock,
    feed: ActivityFeed,
    secrets: () => readonly string[],
    onRequest: ((record: RequestRecord) => void) | undefined,
  ) {
    this.#clock = clock;
    this.#feed = feed;
    this.#secrets = secrets;
    this.#onRequest = onRequest;
  }

  /** Serves a request and logs it, even if a fault breaks the connection or the caller aborts. */
  async record<Logged extends LoggedRequest>(
    logged: Logged,
    serve: (logged: Logged) => Promise<Response>,
  ): Promise<Response> {
    const { request } = logged;
    const [at, realTime, startedAt] = [this.#clock.iso(), Date.now(), performance.now()];
    const clearedBefore = this.#cleared;
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
      if (clearedBefore === this.#cleared) this.#add(logged, { at, realTime, durationMs, status }, response);
    }
  }

  /** Forgets all requests, those in flight too. */
  clear(): void {
    this.#cleared += 1;
    this.items.length = 0;
    this.#withBodies = [];
    this.#characters = 0;
  }

  #add({ request, url, operation, fault }: LoggedRequest, outcome: RequestOutcome, answer: Response | undefined): void {
    const secrets = this.#secrets();
    const sent = new Recording(request, secrets);
    const received = answer && new Recording(answer, secrets);
    const entry: RequestRecord = {
      ...outcome,
      method: request.method,
      path: url.pathname + (url.search && replaceInUrls(url.search, REDACTED)),
      operation: operation?.endpoint.name,
      attempt: attemptOf(request),
      // A spread would compute them.
      get headers() {
        return sent.headers;
      },
      get body() {
        return sent.body;
      },
      get bytes() {
        return sent.bytes;
      },
      response: received && recordedMessage(received),
      ...(fault && { fault: fault.connection ?? (fault.status === undefined ? "delay" : `status ${fault.status}`) }),
    };
    this.items.push(entry);
    if (this.items.length > KEPT_REQUESTS) this.items.shift();
    const characters = sent.characters + (received?.characters ?? 0);
    this.#withBodies.push({ sent, received, characters });
    this.#characters += characters;
    this.#trim();
    if (this.#onRequest) callListener(this.#onRequest, entry);
    this.#feed.publish({ type: "request", request: entry });
  }

  /** Forgets the oldest bodies, and the masks of old requests, which hold the requests' headers. */
  #trim(): void {
    while (this.#characters > KEPT_BODIES || this.#withBodies.length > KEPT_REQUESTS) {
      const oldest = this.#withBodies.shift();
      if (!oldest) return;
      this.#characters -= oldest.characters;
      oldest.sent.drop();
      oldest.received?.drop();
    }
  }
}

/** The number that this package's client sends to servers on its machine. */
function attemptOf({ headers }: Request): number | undefined {
  const attempt = Number(headers.get(ATTEMPT_HEADER) ?? Number.NaN);
  return Number.isInteger(attempt) && attempt > 0 ? attempt : undefined;
}
