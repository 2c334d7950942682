import { DATED_VERSION } from "../dated-version.js";
import { field, isObject, isRecord, isText } from "../json.js";
import { nearestName } from "../nearest-name.js";
import { MAX_TIMER_MS } from "./clock.js";
import { CREDENTIAL_KINDS, CREDENTIALS } from "./credentials.js";
import type { AnyInput } from "./endpoint.js";
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

/** What each option that is an object must be able to do, and where such an object comes from. They are used late, perhaps after an effect. */
const OBJECTS: Readonly<Partial<Record<keyof SvcOptions, readonly [methods: readonly string[], origin?: string]>>> = {
  clock: [["now", "monotonic", "sleep", "random"]],
  contract: [["check"], "the one of svc-sdk/contract, or "],
  validateArguments: [["check"], "argumentValidator() of svc-sdk/arguments, or "],
  logger: [["debug", "info", "warn", "error"], "console, or "],
  retryBudget: [["spend", "earn"], "a RetryBudget, or "],
  rateWindow: [["read", "swap"], "redisRateWindow() of svc-sdk/stores/redis, or "],
};

/** What is wrong with the functions and objects among these options, in sentences. */
export function kindProblems(options: Partial<Record<keyof SvcOptions, unknown>>): string[] {
  const { onMismatch } = options;
  const problems: string[] = [];
  for (const name of ["fetch", "onEvent"] as const) {
    if (options[name] !== undefined && typeof options[name] !== "function")
      problems.push(`${name} must be a function.`);
  }
  for (const [name, [methods, origin = ""]] of Object.entries(OBJECTS)) {
    const value = field(options, name);
    if (value !== undefined && methods.some((method) => typeof field(value, method) !== "function")) {
      problems.push(`${name} must be ${origin}an object with ${methods.join(", ")}.`);
    }
  }
  if (!["undefined", "function"].includes(typeof onMismatch) && onMismatch !== "report" && onMismatch !== "throw") {
    problems.push('onMismatch must be "report", "throw" or a function.');
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

/** What is wrong with the query of a call, as a sentence. A text in place of filters would go out letter by letter. */
export function queryProblem({ query }: AnyInput): string | undefined {
  return query && !isRecord(query) ? "its filters must be an object, as in { limit: 5 }." : undefined;
}

/** A sentence for each name that is none of the known ones, with the one that was probably meant. */
export function unknownNames(options: object, known: readonly string[]): string[] {
  return Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearestName(name, known);
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
  if (value === "latest" || (isText(value) && DATED_VERSION.test(value))) return undefined;
  return 'must look like "20251023_00", or be "latest"';
}
