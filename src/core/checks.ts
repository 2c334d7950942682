import { field, isObject } from "../json.js";
import { MAX_TIMER_MS } from "./clock.js";
import { CREDENTIAL_KINDS, CREDENTIALS } from "./credentials.js";
import type { RequestOptions, SvcOptions } from "./options.js";

/** A numeric option that bounds time or count, and where its bounds lie. */
const BOUNDS = {
  timeoutMs: { least: 1, most: MAX_TIMER_MS, whole: false },
  deadlineMs: { least: 1, most: MAX_TIMER_MS, whole: false },
  maxRetries: { least: 0, most: 100, whole: true },
  maxRetryWaitMs: { least: 0, most: MAX_TIMER_MS, whole: false },
  maxBodyBytes: { least: 1, most: Number.MAX_SAFE_INTEGER, whole: true },
} as const;

type BoundedOption = keyof typeof BOUNDS;

/** What is wrong with the numeric options among these, in sentences. */
export function numberProblems(options: Partial<Record<BoundedOption, unknown>>): string[] {
  return (Object.keys(BOUNDS) as BoundedOption[]).flatMap((name) => {
    const value = options[name];
    if (value === undefined) return [];
    const { least, most, whole } = BOUNDS[name];
    const fits = typeof value === "number" && value >= least && value <= most && (!whole || Number.isInteger(value));
    return fits ? [] : [`${name} must be a ${whole ? "whole " : ""}number from ${least} to ${most}.`];
  });
}

/** What is wrong with the functions and objects among these options, in sentences. They are used late, perhaps after an effect. */
export function kindProblems(options: SvcOptions): string[] {
  const { fetch, clock, contract, validateArguments, onMismatch, onEvent, logger, retryBudget, rateWindow } = options;
  const isMissing = (value: object | undefined, ...methods: string[]) =>
    value !== undefined && methods.some((method) => typeof field(value, method) !== "function");
  const problems: string[] = [];
  if (fetch !== undefined && typeof fetch !== "function") problems.push("fetch must be a function.");
  if (isMissing(clock, "now", "monotonic", "sleep", "random")) {
    problems.push("clock must be an object with now, monotonic, sleep and random.");
  }
  if (isMissing(contract, "check"))
    problems.push("contract must be the one of svc-sdk/contract, or an object with check.");
  if (isMissing(validateArguments, "check")) {
    problems.push("validateArguments must be argumentValidator() of svc-sdk/arguments, or an object with check.");
  }
  if (
    onMismatch !== undefined &&
    typeof onMismatch !== "function" &&
    onMismatch !== "report" &&
    onMismatch !== "throw"
  ) {
    problems.push('onMismatch must be "report", "throw" or a function.');
  }
  if (onEvent !== undefined && typeof onEvent !== "function") problems.push("onEvent must be a function.");
  if (isMissing(logger, "debug", "info", "warn", "error")) {
    problems.push("logger must be an object with debug, info, warn and error, like console.");
  }
  if (isMissing(retryBudget, "spend", "earn")) problems.push("retryBudget must be a RetryBudget.");
  if (isMissing(rateWindow, "read", "swap")) {
    problems.push("rateWindow must be a store with read and swap, like redisRateWindow of svc-sdk/stores/redis.");
  }
  return problems;
}

const RESERVED = new Set([
  "host",
  "content-length",
  "content-type",
  // Of the connection; runtimes refuse them, some only after the request was begun.
  "connection",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  ...CREDENTIAL_KINDS.map((kind) => CREDENTIALS[kind].header),
]);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a value may stand in a header. */
export function isHeaderValue(value: unknown): boolean {
  return typeof value === "string" && HEADER_VALUE.test(value);
}

/** What is wrong with a header bag, in sentences. Names headers, never their values: a value may be a secret. */
export function headerProblems(headers: unknown): string[] {
  if (headers === undefined) return [];
  if (!isObject(headers) || headers instanceof Headers) {
    return ["headers must be a plain object of texts."];
  }
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!HEADER_NAME.test(name)) return ["headers holds a name that is not a header name."];
    if (RESERVED.has(name.toLowerCase())) return [`headers must not set ${name}: the client or the runtime sets it.`];
    if (!isHeaderValue(value)) {
      return [`headers.${name} must be a text without line breaks or control characters.`];
    }
    return [];
  });
}

/** Every option of a call; the compiler keeps the list complete. */
const CALL_OPTIONS = Object.keys({
  signal: 1,
  timeoutMs: 1,
  deadlineMs: 1,
  maxRetries: 1,
  headers: 1,
  priority: 1,
} satisfies Record<keyof RequestOptions, 1>);

/** The options of a call that was given none. */
export const NO_OPTIONS: RequestOptions = Object.freeze({});

/** What is wrong with the options of a call, in sentences. A misspelt one would be a bound that does not hold. */
export function callOptionProblems(options: RequestOptions): string[] {
  if (options === NO_OPTIONS) return [];
  if (!isObject(options)) return ["the options of a call must be an object."];
  const { signal, timeoutMs, deadlineMs, maxRetries, headers, priority } = options;
  const problems = [...unknownNames(options, CALL_OPTIONS), ...numberProblems({ timeoutMs, deadlineMs, maxRetries })];
  problems.push(...headerProblems(headers));
  if (priority !== undefined && priority !== "normal" && priority !== "high") {
    problems.push('priority must be "normal" or "high".');
  }
  // By shape: the signal of another realm or a polyfill is no instance of this one's.
  if (signal !== undefined && typeof field(signal, "throwIfAborted") !== "function") {
    problems.push("signal must be an AbortSignal; of an AbortController, pass its signal.");
  }
  return problems;
}

/** A sentence for each name that is none of the known ones, with the one that was probably meant. */
export function unknownNames(options: object, known: readonly string[]): string[] {
  const plain = (text: string) => text.toLowerCase().replaceAll("_", "");
  return Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = known.find((candidate) => plain(candidate).startsWith(plain(name)));
      return `There is no option ${name}.${meant ? ` Did you mean ${meant}?` : ""}`;
    });
}

/** What is wrong with a credential, or `undefined`. Never quotes it. */
export function credentialProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a text";
  if (value === "") return "is blank";
  if (/[\r\n]/.test(value)) return "holds a line break inside, as if more than the key was copied";
  if (/^(["']).*\1$/.test(value)) return "stands in quotes, as some environment files leave them: remove them";
  if (!/^[\x21-\x7e]+$/.test(value) || value.includes("\\")) return "holds a space or a character that no key has";
  return undefined;
}

/** What is wrong with a tool version, or `undefined`. Spec: Versioning. */
export function toolVersionProblem(value: unknown): string | undefined {
  if (typeof value === "string" && /^(latest|\d{8}_\d{2})$/.test(value)) return undefined;
  return 'must look like "20251023_00", or be "latest"';
}
