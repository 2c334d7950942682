import { describeMismatches } from "../errors/local.js";
import { callBack } from "./callback.js";
import type { SvcEvent } from "./events.js";

/** Where log lines go. `console` is one. */
export interface Logger {
  /** Requests, attempts and answers. */
  debug(message: string): void;
  /** Repeats and waits. */
  info(message: string): void;
  /** Answers that do not fit the contract, deprecations, and what could not be checked or shared. */
  warn(message: string): void;
  /** A callback of yours threw: `cause` is what. */
  error(message: string, cause?: unknown): void;
}

/** From silent to talkative; each level includes those before it. */
export const LOG_LEVELS = ["off", "error", "warn", "info", "debug"] as const;

/** How much is logged: `off`, `error`, `warn`, `info` (retries and waits too) or `debug` (every request). */
export type LogLevel = (typeof LOG_LEVELS)[number];

type Severity = Exclude<LogLevel, "off">;

const SEVERITY: Readonly<Record<SvcEvent["type"], Severity>> = {
  request: "debug",
  attempt: "debug",
  response: "debug",
  failure: "debug",
  result: "debug",
  retry: "info",
  wait: "info",
  drift: "warn",
  deprecation: "warn",
};

/** Writes what passes the level. */
export class Log {
  readonly #logger: Logger;
  /** How many of the levels are written. */
  readonly #level: number;

  constructor(logger: Logger, level: LogLevel) {
    this.#logger = logger;
    this.#level = LOG_LEVELS.indexOf(level);
  }

  /** Whether a line of this severity would be written. */
  writes(severity: Severity): boolean {
    return LOG_LEVELS.indexOf(severity) <= this.#level;
  }

  /** Writes an event as one line. */
  event(event: SvcEvent): void {
    this.line(SEVERITY[event.type], `${event.operation}: ${describe(event)}`);
  }

  /** Writes one line. A logger's own fault must not change a call: it may already have acted. */
  line(severity: Severity, message: string, cause?: unknown): void {
    if (!this.writes(severity)) return;
    const text = `svc-sdk: ${message}`;
    callBack(
      () => (cause === undefined ? this.#logger[severity](text) : this.#logger.error(text, cause)),
      (error) => console.error("svc-sdk: the logger threw", error),
    );
  }
}

function describe(event: SvcEvent): string {
  switch (event.type) {
    case "request":
      return `call ${event.callId}, ${event.method} ${event.origin}${event.path}${event.tool ? ` (${event.tool})` : ""}`;
    case "wait": {
      const until =
        event.expectedMs === undefined ? "" : `; the window gives more in at most ${seconds(event.expectedMs)}`;
      return `call ${event.callId} waits for its turn under the rate limit${until}`;
    }
    case "attempt":
      return `call ${event.callId}, attempt ${event.attempt}`;
    case "response": {
      const { remaining, limit } = event.rateLimit ?? {};
      const window = remaining === undefined ? "" : `, ${remaining} of ${limit ?? "?"} requests left`;
      const id = event.requestId === undefined ? "" : ` [request ${event.requestId}]`;
      return `call ${event.callId}, answered ${event.status} after ${Math.round(event.durationMs)} ms${window}${id}`;
    }
    case "failure":
      return `call ${event.callId}, no answer after ${Math.round(event.durationMs)} ms: ${event.error}${event.code ? ` (${event.code})` : ""}`;
    case "retry":
      return `call ${event.callId} is sent again in ${seconds(event.delayMs)}: ${event.error}${event.status ? ` (${event.status})` : ""}`;
    case "result": {
      const how = event.succeeded ? "succeeded" : `failed: ${event.error}`;
      return `call ${event.callId} ${how} after ${Math.round(event.durationMs)} ms and ${event.attempts} requests`;
    }
    case "drift":
      return `the answer does not fit the contract: ${describeMismatches(event.mismatches)}`;
    case "deprecation": {
      const what = event.subject === "operation" ? "this operation" : event.subject;
      return `${what} is deprecated${event.sunset ? ` and goes away on ${event.sunset}` : ""}. Its documentation says what to use instead.`;
    }
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
