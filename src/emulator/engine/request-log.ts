import type { ActivityFeed, RequestRecord } from "./activity.js";
import type { EmulatorClock } from "./clock.js";
import { BrokenConnection, type InjectedFault } from "./faults.js";
import { readBytes } from "./read-request.js";
import { maskQuery, type Recording, record } from "./recording.js";

const KEPT_REQUESTS = 1_000;

/** How many characters of bodies are kept, of all requests together. */
const KEPT_BODIES = 8_000_000;

/** A request to log. */
interface LoggedRequest {
  readonly request: Request;
  readonly operation?: string | undefined;
  readonly fault?: InjectedFault | undefined;
}

/** The latest requests. Not part of the state: it tells what callers did, not what the service knows. */
export class RequestLog {
  /** Oldest first. */
  readonly items: RequestRecord[] = [];
  readonly #clock: EmulatorClock;
  readonly #feed: ActivityFeed;
  readonly #secrets: () => Iterable<string>;
  readonly #onRequest: ((record: RequestRecord) => void) | undefined;
  /** The messages of each item, at its index. */
  readonly #recordings: Exchange[] = [];
  /** How often it was cleared. */
  #cleared = 0;
  /** Characters of their bodies, and the index of the first item that still has its bodies. */
  #characters = 0;
  #firstWithBodies = 0;

  /**
   * @param secrets values to mask wherever they occur.
   * @param onRequest called with each request after its response.
   */
  constructor(
    clock: EmulatorClock,
    feed: ActivityFeed,
    secrets: () => Iterable<string>,
    onRequest: ((record: RequestRecord) => void) | undefined,
  ) {
    this.#clock = clock;
    this.#feed = feed;
    this.#secrets = secrets;
    this.#onRequest = onRequest;
  }

  /** Runs a request and logs it, even if a fault breaks the connection or the caller aborts. */
  async record(logged: LoggedRequest, run: () => Promise<Response>): Promise<Response> {
    const [at, startedAt, cleared] = [this.#clock.iso(), performance.now(), this.#cleared];
    const add = async (response: Response | undefined, status?: number) => {
      const durationMs = performance.now() - startedAt;
      await readRest(logged.request);
      if (cleared !== this.#cleared) return;
      this.#add(logged, at, durationMs, response, status);
    };
    try {
      const response = await run();
      await add(response, response.status);
      return response;
    } catch (error) {
      await add(error instanceof BrokenConnection ? error.response : undefined);
      throw error;
    }
  }

  /** Forgets all requests, those in flight too. */
  clear(): void {
    this.#cleared += 1;
    this.items.length = 0;
    this.#recordings.length = 0;
    this.#characters = 0;
    this.#firstWithBodies = 0;
  }

  #add(
    { request, operation, fault }: LoggedRequest,
    at: string,
    durationMs: number,
    response: Response | undefined,
    status: number | undefined,
  ): void {
    const secrets = [...this.#secrets()];
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const path = pathname + maskQuery(search);
    const exchange = { request: record(request, secrets), response: response && record(response, secrets) };
    const { message } = exchange.request;
    const entry: RequestRecord = {
      at,
      durationMs: Math.round(durationMs * 100) / 100,
      method,
      path,
      operation,
      attempt: this.#attemptOf(method, path, exchange.request.sent),
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
      status,
      response: exchange.response?.message,
      ...(fault && { fault: fault.connection ?? (fault.status === undefined ? "delay" : `status ${fault.status}`) }),
    };
    this.items.push(entry);
    this.#recordings.push(exchange);
    this.#characters += charactersOf(exchange);
    this.#trim();
    this.#onRequest?.(entry);
    this.#feed.publish({ type: "request", request: entry });
  }

  /** Retries follow closely, so a look at the latest requests is enough. */
  #attemptOf(method: string, path: string, sent: string): number {
    const first = Math.max(0, this.items.length - LOOKED_BACK);
    for (let index = this.items.length - 1; index >= first; index -= 1) {
      const before = this.items[index];
      if (before?.method !== method || before.path !== path || this.#recordings[index]?.request.sent !== sent) continue;
      return wasRetryable(before) ? before.attempt + 1 : 1;
    }
    return 1;
  }

  #trim(): void {
    while (this.items.length > KEPT_REQUESTS) {
      this.items.shift();
      const exchange = this.#recordings.shift();
      if (this.#firstWithBodies > 0) this.#firstWithBodies -= 1;
      else this.#characters -= exchange ? charactersOf(exchange) : 0;
    }
    while (this.#characters > KEPT_BODIES) {
      const exchange = this.#recordings[this.#firstWithBodies];
      if (!exchange) return;
      this.#characters -= charactersOf(exchange);
      exchange.request.drop();
      exchange.response?.drop();
      this.#firstWithBodies += 1;
    }
  }
}

interface Exchange {
  readonly request: Recording;
  readonly response: Recording | undefined;
}

/**
 * Reads a body that no handler read, because a fault replaced the response or the request was rejected. One without a
 * length might never end on a port, so it stays unread.
 */
async function readRest(request: Request): Promise<void> {
  if (!request.body || request.bodyUsed || request.headers.has("transfer-encoding")) return;
  // Whatever is wrong with the body, the response is already known.
  await readBytes(request).catch(() => undefined);
}

/** How many of the latest requests are searched for an earlier attempt. */
const LOOKED_BACK = 100;

function wasRetryable({ status }: RequestRecord): boolean {
  return status === undefined || status === 429 || status >= 500;
}

function charactersOf({ request, response }: Exchange): number {
  return request.characters + (response?.characters ?? 0);
}
