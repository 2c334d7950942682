import { field, isObject, isRecord } from "../../shared/json.js";
import { unknownNames } from "../../shared/nearest-name.js";
import { MAX_TIMER_MS } from "../../shared/timers.js";
import { type AnyInput, CREDENTIAL_KINDS, CREDENTIALS, type CredentialKind } from "../endpoint.js";
import type { SvcOptions } from "./options.js";
import type { RequestOptions } from "./request-options.js";

/** The values an option accepts. Those without `isFit` are checked by a dedicated reader. */
interface Rule {
  readonly kind: string;
  /** Description of the accepted values, for messages. */
  readonly must?: string;
  readonly isFit?: (value: unknown) => boolean;
}

function numberRule(least: number, most: number, isInteger = false) {
  return {
    kind: "number",
    least,
    most,
    must: `${isInteger ? "an integer" : "a number"} from ${least} to ${most}`,
    isFit: (value: unknown) =>
      Number(value) === value && value >= least && value <= most && (!isInteger || value % 1 === 0),
  } as const;
}

function choiceRule(...values: readonly unknown[]) {
  const must = values.map((value) => JSON.stringify(value)).join(" or ");
  return { kind: "choice", values, must, isFit: (value: unknown) => values.includes(value) } as const;
}

/** Its methods are called late, perhaps after an effect. `origin` shows where to get such an object. */
function objectRule(methods: readonly string[], origin = "") {
  return {
    kind: "object",
    must: `${origin}an object with ${methods.join(", ")}`,
    isFit: (value: unknown) => methods.every((method) => isFunction(field(value, method))),
  } as const;
}

const isFunction = (value: unknown): boolean => typeof value === "function";

const TIME = numberRule(1, MAX_TIMER_MS);
const RETRIES = numberRule(0, 100, true);
const CREDENTIAL = { kind: "credential" } as const;
const HEADERS = { kind: "headers" } as const;

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
  toolVersions: { kind: "versions" },
  toolkitVersions: { kind: "versions" },
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
  fetch: { kind: "function", must: "a function", isFit: isFunction },
  clock: objectRule(["now", "monotonic", "sleep", "random"]),
  allowInsecureHttp: { ...choiceRule(true, false), default: false, variable: "SVC_ALLOW_INSECURE_HTTP" },
  use: {
    kind: "list",
    must: "an array of functions",
    isFit: (value) => Array.isArray(value) && value.every(isFunction),
    default: [],
  },
  environment: { kind: "environment" },
} as const satisfies Record<keyof SvcOptions, Rule & { readonly default?: unknown; readonly variable?: string }>;

/** Every option of a call. */
const CALL_OPTIONS = {
  signal: {
    kind: "signal",
    must: "an AbortSignal. If you have an AbortController, pass its signal",
    // By shape: a signal from another realm or a polyfill isn't an instance of this realm's class.
    isFit: (value) => isFunction(field(value, "throwIfAborted")),
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
      if (value === undefined) return [];
      if (rule === HEADERS) return headerProblems(value);
      return rule.isFit?.(value) === false ? [`${name} must be ${rule.must}.`] : [];
    }),
  ];
}

/** The options of a call without options. */
export const NO_OPTIONS: RequestOptions = Object.freeze({});

/** The problems with a call's options, in sentences. */
export function callOptionProblems(options: RequestOptions): string[] {
  if (options === NO_OPTIONS) return [];
  return isObject(options) ? optionProblems(options, CALL_OPTIONS) : ["the options of a call must be an object."];
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

/** Whether a value is valid in a header. */
export function isHeaderValue(value: unknown): boolean {
  return typeof value === "string" && HEADER_VALUE.test(value);
}

/** The problems with headers, in sentences. Names headers, never their values: a value may be a secret. */
function headerProblems(headers: unknown): string[] {
  if (!isObject(headers) || headers instanceof Headers) {
    return ["headers must be a plain object with string values."];
  }
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!HEADER_NAME.test(name)) return ["headers contains an invalid header name."];
    if (RESERVED.has(name.toLowerCase())) return [`headers must not set ${name}: the client or the runtime sets it.`];
    if (!isHeaderValue(value)) {
      return [`headers.${name} must be a string without line breaks or control characters.`];
    }
    return [];
  });
}

/** The problem with a call's query, as a sentence. A string instead of filters would be sent letter by letter. */
export function queryProblem({ query }: AnyInput): string | undefined {
  return query && !isRecord(query) ? "the filters must be an object, such as { limit: 5 }." : undefined;
}

/** The problem with a credential, or `undefined`. Never quotes it. */
export function credentialProblem(kind: CredentialKind, value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a string";
  if (value === "") return "is blank";
  if (/[\r\n]/.test(value)) return "contains a line break, as if more than the key was copied";
  if (/^(["']).*\1$/.test(value)) return "is in quotes, which some environment files keep: remove them";
  if (!/^[\x21-\x7e]+$/.test(value) || value.includes("\\")) return "contains a space or an invalid character";
  // A session cookie isn't a key and may start with anything.
  if (!CREDENTIALS[kind].issued) return undefined;
  const issuedAs = ({ issued }: (typeof CREDENTIALS)[CredentialKind]) =>
    issued !== undefined && value.startsWith(issued);
  const meant = CREDENTIAL_KINDS.find((other) => other !== kind && issuedAs(CREDENTIALS[other]));
  if (!meant) return undefined;
  const { issued, variable } = CREDENTIALS[meant];
  return `starts with ${issued}: pass it as ${meant}, or set ${variable}`;
}
