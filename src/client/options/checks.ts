import * as option from "../../errors/option-rules.js";
import { API_VERSIONS, DEFAULT_API_VERSION } from "../../shared/api-versions.js";
import { CREDENTIAL_KINDS, CREDENTIALS, type CredentialKind, SECRET_START } from "../../shared/credentials.js";
import { isNode } from "../../shared/environment.js";
import { fieldsOf, isRecord } from "../../shared/json.js";
import { MAX_TIMER_MS } from "../../shared/timers.js";
import type { ExecuteOptions, RequestOptions } from "../request-options.js";
import { toolVersionProblem } from "../tool-versions.js";
import type { SvcOptions } from "./options.js";

interface OptionRow {
  readonly kind: string;
  readonly variable?: string;
}

const RETRIES = option.between(0, 100, true);
const CREDENTIAL = { kind: "credential" } as const;
const HEADERS = { kind: "headers", read: (value: unknown) => fieldsOf(value), problems: headerProblems } as const;

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
  apiVersion: { ...option.oneOf(...API_VERSIONS), default: DEFAULT_API_VERSION },
  toolVersions: versionsRule((slug) => slug.toUpperCase()),
  toolkitVersions: versionsRule((slug) => slug.toLowerCase()),
  timeoutMs: { ...option.TIME, default: 60_000 },
  deadlineMs: option.TIME,
  maxRetries: { ...RETRIES, default: 2 },
  maxRetryDelayMs: { ...option.between(0, MAX_TIMER_MS), default: 60_000 },
  sharedRateLimit: option.withMethods(["open"], "redisRateLimit() or sharedRateLimit() from svc-sdk/stores, or "),
  maxBodyBytes: { ...option.between(1, Number.MAX_SAFE_INTEGER, true), default: 64 * 1024 * 1024 },
  headers: HEADERS,
  fetch: { kind: "function", ...option.FUNCTION },
  clock: option.withMethods(["now", "monotonic", "sleep", "random"]),
  allowInsecureHttp: { ...option.BOOLEAN, default: false, variable: "SVC_ALLOW_INSECURE_HTTP" },
  use: { kind: "list", ...option.FUNCTIONS, problems: uncalled, default: [] },
  env: { kind: "environment", ...option.ENVIRONMENT },
} as const satisfies option.Rules<SvcOptions> & Record<keyof SvcOptions, OptionRow>;

export const CALL_OPTIONS = {
  signal: option.SIGNAL,
  timeoutMs: option.TIME,
  deadlineMs: option.TIME,
  maxRetries: RETRIES,
  headers: HEADERS,
  priority: { ...option.oneOf("normal", "high"), default: "normal" },
} as const satisfies option.Rules<RequestOptions>;
const EXECUTE_OPTIONS = {
  ...CALL_OPTIONS,
  effect: option.oneOf("none"),
  beforeSend: option.FUNCTION,
} as const satisfies option.Rules<ExecuteOptions>;

/** The names of all options of calls. */
export const OPTIONS_OF_CALLS = Object.keys(EXECUTE_OPTIONS);

/** The options of a call without options. */
export const NO_OPTIONS: ExecuteOptions = Object.freeze({});

type ReadOptions = { readonly options: ExecuteOptions; readonly problems: string[] };

/**
 * Reads the options of a call.
 *
 * @param fetch - The client's.
 * @param takesEffect - Whether the endpoint takes the option `effect`.
 */
export function readCallOptions(given: ExecuteOptions, fetch: SvcOptions["fetch"], takesEffect = false): ReadOptions {
  const read: ReadOptions = takesEffect
    ? option.read(given, EXECUTE_OPTIONS)
    : option.read<RequestOptions, typeof CALL_OPTIONS>(given, CALL_OPTIONS);
  const { options, problems } = read;
  return problems.length > 0 ? read : { options, problems: timeoutProblems(options.timeoutMs, fetch) };
}

/** A copy of the options of a call, unchecked; `undefined` if they aren't an object. */
export function copyOfCallOptions(options: ExecuteOptions): ExecuteOptions | undefined {
  return fieldsOf(options, OPTIONS_OF_CALLS);
}

/** For how long Node's own `fetch` waits for headers, and for each piece of a body. */
const NODES_LIMIT_MS = 300_000;

/** The problem with a time limit that the `fetch` of the client doesn't keep, in a list. */
export function timeoutProblems(timeoutMs: number | undefined, fetch: SvcOptions["fetch"]): string[] {
  const isOwn = fetch !== undefined && fetch !== globalThis.fetch;
  if (timeoutMs === undefined || timeoutMs <= NODES_LIMIT_MS || isOwn || !isNode()) return [];
  return [
    `timeoutMs must be at most ${NODES_LIMIT_MS} with Node's own fetch, which ends a silent request after 5 minutes. For more, pass fetch: undiciFetch() from svc-sdk/undici.`,
  ];
}

/** The functions of this package that make a middleware, by name, because the client loads none of them. */
const FACTORIES: ReadonlySet<string> = new Set([
  "checkContract",
  "logCalls",
  "observe",
  "shareRetryBudget",
  "toolLock",
  "traceCalls",
  "validateArguments",
]);

/** The problems with functions in a list that make a middleware, and aren't one. A middleware takes `next`. */
function uncalled(option: string, use: unknown): string[] {
  const functions: readonly unknown[] = Array.isArray(use) ? use : [];
  return functions.flatMap((middleware, index) =>
    typeof middleware === "function" && middleware.length < 2 && FACTORIES.has(middleware.name)
      ? [`${option}[${index}] is ${middleware.name} itself. Call it: ${middleware.name}(…).`]
      : [],
  );
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
  return { kind: "versions", read: (value: unknown) => fieldsOf(value), problems } as const;
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
  if (value.startsWith(SECRET_START))
    return `starts with ${SECRET_START}: that is the secret of a webhook subscription, not a key`;
  if (!meant || meant === kind) return undefined;
  const { issued, variable } = CREDENTIALS[meant];
  return `starts with ${issued}: pass it as ${meant}, or set ${variable}`;
}
