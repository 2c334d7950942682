import type { ActivityFeed, RecordedMessage, RequestRecord } from "./activity.js";
import type { EmulatorClock } from "./clock.js";
import { BrokenConnection, type InjectedFault } from "./faults.js";
import { REDACTED, SIGNATURE_PARAMETER } from "./mask.js";
import { recordedMessage } from "./recorded-body.js";

const KEPT_REQUESTS = 1_000;

/** How many characters of bodies are kept, of all requests together. */
const KEPT_BODIES = 8_000_000;

/** A request to log. */
interface LoggedRequest {
  readonly request: Request;
  readonly operation?: string;
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
  /** Characters of the bodies in `items`, and the index of the first record that still has its bodies. */
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
    const [at, startedAt] = [this.#clock.iso(), performance.now()];
    const add = (response: Response | undefined, status = response?.status) =>
      this.#add(logged, at, performance.now() - startedAt, response, status);
    try {
      const response = await run();
      add(response);
      return response;
    } catch (error) {
      add(error instanceof BrokenConnection ? error.response : undefined, undefined);
      throw error;
    }
  }

  /** Forgets all requests. */
  clear(): void {
    this.items.length = 0;
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
    const path = pathname + withoutSignature(search);
    const sent = recordedMessage(request, secrets);
    const record: RequestRecord = {
      at,
      durationMs: Math.round(durationMs * 100) / 100,
      method,
      path,
      operation,
      attempt: this.#attemptOf(method, path, sent.body),
      ...sent,
      status,
      response: response && recordedMessage(response, secrets),
      ...(fault && { fault: fault.connection ?? (fault.status === undefined ? "delay" : `status ${fault.status}`) }),
    };
    this.items.push(record);
    this.#characters += charactersOf(record);
    this.#trim();
    this.#onRequest?.(record);
    this.#feed.publish({ type: "request", request: record });
  }

  /** Retries follow closely, so a look at the latest requests is enough. */
  #attemptOf(method: string, path: string, body: string): number {
    const before = this.items
      .slice(-LOOKED_BACK)
      .findLast((other) => other.method === method && other.path === path && other.body === body);
    return before && wasRetryable(before) ? before.attempt + 1 : 1;
  }

  #trim(): void {
    while (this.items.length > KEPT_REQUESTS) {
      const first = this.items.shift();
      this.#characters -= first ? charactersOf(first) : 0;
      this.#firstWithBodies = Math.max(0, this.#firstWithBodies - 1);
    }
    while (this.#characters > KEPT_BODIES && this.#firstWithBodies < this.items.length) {
      const record = this.items[this.#firstWithBodies];
      if (record) {
        this.#characters -= charactersOf(record);
        this.items[this.#firstWithBodies] = {
          ...record,
          body: "",
          response: record.response && withoutBody(record.response),
        };
      }
      this.#firstWithBodies += 1;
    }
  }
}

/** How many of the latest requests are searched for an earlier attempt. */
const LOOKED_BACK = 100;

function wasRetryable({ status }: RequestRecord): boolean {
  return status === undefined || status === 429 || status >= 500;
}

function charactersOf({ body, response }: RequestRecord): number {
  return body.length + (response?.body.length ?? 0);
}

function withoutBody(message: RecordedMessage): RecordedMessage {
  return { ...message, body: "" };
}

/** Removes the signature of a storage URL from a query, because anyone who has it can use the URL. */
function withoutSignature(search: string): string {
  const parts = search.split("&").map((part) => {
    const mark = part.startsWith("?") ? "?" : "";
    return new URLSearchParams(part).has(SIGNATURE_PARAMETER) ? `${mark}${SIGNATURE_PARAMETER}=${REDACTED}` : part;
  });
  return parts.join("&");
}
