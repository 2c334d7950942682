import { field, isRecord } from "../../shared/json.js";
import { unknownNames } from "../../shared/nearest-name.js";
import { MAX_TIMER_MS } from "../../shared/timers.js";
import { toolVersionProblem } from "../call/versions.js";
import { CREDENTIAL_KINDS, CREDENTIALS, type CredentialKind } from "../endpoint.js";
import type { SvcOptions } from "./options.js";
import type { RequestOptions } from "./request-options.js";

interface Rule {
  readonly kind: string;
  /** The problems with a value, in sentences. Functions that read credentials and the URL check those. */
  readonly problems?: (name: string, value: unknown) => string[];
}

/** Accepts the values that fit. `must` describes them in messages. */
function fitting(must: string, isFit: (value: unknown) => boolean) {
  return (name: string, value: unknown) => (isFit(value) ? [] : [`${name} must be ${must}.`]);
}

function numberRule(least: number, most: number, isInteger = false) {
  const must = `${isInteger ? "an integer" : "a number"} from ${least} to ${most}`;
  const isFit = (value: unknown) =>
    Number(value) === value && value >= least && value <= most && (!isInteger || value % 1 === 0);
  return { kind: "number", least, most, problems: fitting(must, isFit) } as const;
}

function choiceRule(...values: readonly unknown[]) {
  const must = values.map((value) => JSON.stringify(value)).join(" or ");
  return { kind: "choice", values, problems: fitting(must, (value) => values.includes(value)) } as const;
}

/** Its methods are called late, perhaps after an effect. `origin` shows where to get such an object. */
function objectRule(methods: readonly string[], origin = "") {
  const isFit = (value: unknown) => methods.every((method) => isFunction(field(value, method)));
  return { kind: "object", problems: fitting(`${origin}an object with ${methods.join(", ")}`, isFit) } as const;
}

const isFunction = (value: unknown): boolean => typeof value === "function";

const TIME = numberRule(1, MAX_TIMER_MS);
const RETRIES = numberRule(0, 100, true);
const CREDENTIAL = { kind: "credential" } as const;
const HEADERS = { kind: "headers", problems: headerProblems } as const;

/**
 * Every option of the client: accepted values, default, and environment variable (for credentials, that's in
 * `CREDENTIALS`). Checks, defaults, the environment and docs/options.md derive from this table.
 */
export const OPTIONS = {
  apiKey: CREDENTIAL,
  userApiKey: CREDENTIAL,
  orgApiKey: CREDENTIAL,
  sessionCookie: CREDENTIAL,
  baseUrl: { kind: "url", variable: "SVC_BASE_URL" },
  apiVersion: { ...choiceRule("v3.1", "v3"), default: "v3.1" },
  toolVersions: versionsRule((slug) => slug.toUpperCase()),
  toolkitVersions: versionsRule((slug) => slug.toLowerCase()),
  timeoutMs: { ...TIME, default: 60_000 },
  deadlineMs: TIME,
  maxRetries: { ...RETRIES, default: 2 },
  maxRetryDelayMs: { ...numberRule(0, MAX_TIMER_MS), default: 60_000 },
  sharedRateLimit: objectRule(
    ["open"],
    "redisRateLimit() from svc-sdk/stores/redis, sharedRateLimit() from svc-sdk/stores, or ",
  ),
  maxBodyBytes: { ...numberRule(1, Number.MAX_SAFE_INTEGER, true), default: 64 * 1024 * 1024 },
  headers: HEADERS,
  fetch: { kind: "function", problems: fitting("a function", isFunction) },
  clock: objectRule(["now", "monotonic", "sleep", "random"]),
  allowInsecureHttp: { ...choiceRule(true, false), default: false, variable: "SVC_ALLOW_INSECURE_HTTP" },
  use: {
    kind: "list",
    problems: fitting("an array of functions", (value) => Array.isArray(value) && value.every(isFunction)),
    default: [],
  },
  env: { kind: "environment" },
} as const satisfies Record<keyof SvcOptions, Rule & { readonly default?: unknown; readonly variable?: string }>;

const CALL_OPTIONS = {
  signal: {
    kind: "signal",
    // By shape: a signal from another realm or a polyfill isn't an instance of this realm's class.
    problems: fitting("an AbortSignal. If you have an AbortController, pass its signal", (value) =>
      isFunction(field(value, "throwIfAborted")),
    ),
  },
  timeoutMs: TIME,
  deadlineMs: TIME,
  maxRetries: RETRIES,
  headers: HEADERS,
  priority: choiceRule("normal", "high"),
} as const satisfies Record<keyof RequestOptions, Rule>;

/** The problems with options, in sentences. Unknown names are problems: a misspelled limit wouldn't apply. */
export function optionProblems(options: object, rules: Readonly<Record<string, Rule>>): string[] {
  return [
    ...unknownNames(options, Object.keys(rules)),
    ...Object.entries(rules).flatMap(([name, rule]) => {
      const value = field(options, name);
      return value === undefined ? [] : (rule.problems?.(name, value) ?? []);
    }),
  ];
}

/** The options of a call without options. */
export const NO_OPTIONS: RequestOptions = Object.freeze({});

export function callOptionProblems(options: RequestOptions): string[] {
  return isRecord(options) ? optionProblems(options, CALL_OPTIONS) : ["the options of a call must be an object."];
}

/** @param inItsCase writes a slug in the only case that matches one. */
function versionsRule(inItsCase: (slug: string) => string) {
  const problems = (option: string, versions: unknown): string[] => {
    if (!isRecord(versions)) return [`${option} must be an object with a version for each slug.`];
    return Object.entries(versions).flatMap(([slug, version]) => {
      const meant = inItsCase(slug);
      const problem = toolVersionProblem(version) ?? (slug === meant ? undefined : `must be named ${meant}`);
      return problem ? [`${option}.${slug} ${problem}.`] : [];
    });
  };
  return { kind: "versions", problems } as const;
}

const RESERVED = new Set([
  "host",
  "content-length",
  "content-type",
  // Connection headers: runtimes reject them, some only after the request has started.
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

export function isHeaderValue(value: unknown): boolean {
  return typeof value === "string" && HEADER_VALUE.test(value);
}

/** The problems with headers, in sentences. Names headers, never their values: a value may be a secret. */
function headerProblems(option: string, headers: unknown): string[] {
  if (!isRecord(headers)) return [`${option} must be a plain object with string values.`];
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!HEADER_NAME.test(name)) return [`${option} contains an invalid header name.`];
    if (RESERVED.has(name.toLowerCase())) return [`${option} must not set ${name}: the client or the runtime sets it.`];
    return isHeaderValue(value)
      ? []
      : [`${option}.${name} must be a string without line breaks or control characters.`];
  });
}

/** The problem with a credential, or `undefined`. Never quotes it. */
export function credentialProblem(kind: CredentialKind, value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a string";
  if (value === "") return "is blank";
  if (/[\r\n]/.test(value)) return "contains a line break, as if more than the key was copied";
  if (/^(["']).*\1$/.test(value)) return "is in quotes, which some environment files keep: remove them";
  if (/^(Bearer|Basic)\s/i.test(value)) return `starts with ${value.split(/\s/)[0]}: pass only the key`;
  // Printable ASCII without a space and a backslash.
  if (!/^[!-[\]-~]+$/.test(value)) return "contains a space or an invalid character";
  // A session cookie isn't a key and may start with anything.
  if (!CREDENTIALS[kind].issued) return undefined;
  const meant = CREDENTIAL_KINDS.find((other) => {
    const { issued } = CREDENTIALS[other];
    return issued && value.startsWith(issued);
  });
  if (!meant || meant === kind) return undefined;
  const { issued, variable } = CREDENTIALS[meant];
  return `starts with ${issued}: pass it as ${meant}, or set ${variable}`;
}
