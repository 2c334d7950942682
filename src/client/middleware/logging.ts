import { describeMismatches, newMismatches } from "../../errors/local.js";
import { counted } from "../../errors/mismatch-words.js";
import * as option from "../../errors/option-rules.js";
import { firstTime } from "../../shared/bounded-memory.js";
import type { Noting } from "../../shared/client-owner.js";
import { environmentVariable } from "../../shared/environment.js";
import { once } from "../../shared/once.js";
import type { SvcEvent } from "../events.js";
import type { Middleware } from "../middleware.js";
import { observe } from "./observe.js";

/** Where log lines go, such as `console`. */
export interface Logger {
  /** Requests, attempts and responses. */
  debug(message: string): void;
  /** Retries, waits, and where the runs of toolsets are shown. */
  info(message: string): void;
  /** Responses that don't match the contract, deprecations, and skipped checks. */
  warn(message: string): void;
}

/** How much is logged: `off`, `warn`, `info` (adds retries and waits) or `debug` (adds every request). */
export type LogLevel = (typeof LOG_LEVELS)[number];

const LOG_LEVELS = ["off", "warn", "info", "debug"] as const;
const LOGGER = option.withMethods(["debug", "info", "warn"], "console, or ");
const KNOWN: readonly unknown[] = LOG_LEVELS;
const LEVEL = option.fitting(`one of ${LOG_LEVELS.join(", ")}`, (value) => KNOWN.includes(value));

type Severity = Exclude<LogLevel, "off">;

/** Options of {@link logCalls}. */
export interface LogOptions {
  /**
   * Where the lines go.
   * @default console
   */
  logger?: Logger | undefined;
  /**
   * How much is logged.
   * @default the variable `SVC_LOG`, or "warn"
   */
  level?: LogLevel | undefined;
  /**
   * Where the variable is read.
   * @default process.env
   */
  env?: object | undefined;
}

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
  warning: "warn",
};

const LOG_OPTIONS = {
  logger: LOGGER,
  level: LEVEL,
  env: option.ENVIRONMENT,
} as const satisfies option.Rules<LogOptions>;

/** Characters that break a line, or that control a terminal. */
// biome-ignore lint/complexity/useRegexLiterals: engines check a literal's classes when they load the file, and that takes several times as long as the rest of it.
const unprintable = once(() => new RegExp("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "gu"));

/**
 * Logs every call's events. Each deprecation and each mismatch with the contract is logged once.
 *
 * ```ts
 * const logs = logCalls({ logger, level: "debug" });
 * ```
 *
 * @throws {ConfigError} if an option, or the level in `SVC_LOG`, is unknown.
 */
export function logCalls(options: LogOptions = {}): Middleware {
  const { logger = console, level, env } = option.checkAll("logCalls", options, LOG_OPTIONS);
  const given = level ?? (environmentVariable("SVC_LOG", env) || "warn");
  option.check("logCalls", "SVC_LOG", given, LEVEL);
  const most = KNOWN.indexOf(given);
  const isNew = firstTime();
  const fresh = (event: SvcEvent): SvcEvent | undefined => {
    if (event.type === "warning") return isNew(`${event.operation} ${event.message}`) ? event : undefined;
    if (event.type !== "drift") return event;
    const mismatches = newMismatches(event.operation, event.mismatches, isNew);
    return mismatches.length > 0 ? { ...event, mismatches } : undefined;
  };
  const write = (event: SvcEvent) => {
    const severity = SEVERITY[event.type];
    if (LOG_LEVELS.indexOf(severity) > most) return;
    const logged = fresh(event);
    // A slug may come from a model, a path from the service: neither may start a line that looks like ours.
    if (logged)
      return logger[severity](
        `svc-sdk: ${logged.operation}: ${describeEvent(logged)}`.replace(unprintable(), encodeURIComponent),
      );
  };
  // Even "off" listens: a middleware without a listener warns on the console instead.
  const listening = observe(most > 0 ? write : () => undefined);
  // For a line of a toolset, which has no call.
  const note = (message: string) => logger.info(`svc-sdk: ${message}`);
  return most < LOG_LEVELS.indexOf("info") ? listening : Object.assign(listening, { note } satisfies Noting);
}

function describeEvent(event: SvcEvent): string {
  switch (event.type) {
    case "request":
      return `call ${event.callNumber}, ${event.method} ${event.origin}${event.path}${event.tool ? ` (${event.tool})` : ""}`;
    case "wait": {
      const until =
        event.expectedMs === undefined ? "" : `; more calls can start in at most ${seconds(event.expectedMs)}`;
      return `call ${event.callNumber} is queued because of the rate limit${until}`;
    }
    case "attempt":
      return `call ${event.callNumber}, attempt ${event.attempt}`;
    case "response": {
      const { remaining, limit } = event.rateLimit ?? {};
      const window = remaining === undefined ? "" : `, ${remaining} of ${limit ?? "?"} requests left`;
      const id = event.requestId === undefined ? "" : ` [request ${event.requestId}]`;
      return `call ${event.callNumber}, response ${event.status} after ${Math.round(event.durationMs)} ms${window}${id}`;
    }
    case "failure":
      return `call ${event.callNumber}, no response after ${Math.round(event.durationMs)} ms: ${event.error}${event.code ? ` (${event.code})` : ""}`;
    case "retry":
      return `call ${event.callNumber} is retried in ${seconds(event.delayMs)}: ${event.error}${event.status ? ` (${event.status})` : ""}`;
    case "result": {
      const how = event.succeeded ? "succeeded" : `failed: ${event.error}`;
      return `call ${event.callNumber} ${how} after ${Math.round(event.durationMs)} ms and ${counted(event.attempts, "request")}`;
    }
    case "drift":
      return `the response doesn't match the contract: ${describeMismatches(event.mismatches)}`;
    case "deprecation": {
      const what = event.subject === "operation" ? "this operation" : event.subject;
      return `${what} is deprecated${event.sunset ? ` and will be removed on ${event.sunset}` : ""}. See its documentation for the replacement.`;
    }
    case "warning":
      return event.message;
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
