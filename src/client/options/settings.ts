// The room of the client's options: `options.ts` declares them, `checks.ts` checks them, and the settings are the
// result. It imports types of `pacing`. Start here.

import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { type ClientOwner, isNote } from "../../shared/client-owner.js";
import { CREDENTIAL_KINDS, CREDENTIALS, type CredentialKind, KEY_OR_SECRET } from "../../shared/credentials.js";
import { environmentVariable, isLoopback, proxyOf } from "../../shared/environment.js";
import { field, isRecord, kindOf } from "../../shared/json.js";
import { systemClock } from "../clock.js";
import type { Fetch } from "../request-options.js";
import { RetryBudget } from "../retry-budget.js";
import { credentialProblem, OPTIONS, timeoutProblems } from "./checks.js";
import type { SvcOptions } from "./options.js";

/** The environment comes before this default. */
const BEFORE_ENVIRONMENT = { ...OPTIONS, allowInsecureHttp: option.BOOLEAN } as const;

/**
 * Checks the options and fills in environment and defaults. One error lists all problems.
 *
 * @throws {ConfigError} if an option or variable is invalid or missing. Names each one and never quotes a key.
 */
export function resolveSettings(given: SvcOptions) {
  if (typeof given === "string")
    throw new ConfigError("new Svc(): the options must be an object. Pass a key as new Svc({ apiKey }).");
  if (Object.hasOwn(Object(given), "connection"))
    throw new ConfigError("new Svc(): pass emulator.connection, not the emulator.");
  const { options, problems } = option.read(given, BEFORE_ENVIRONMENT);
  if (!isRecord(given)) throw new ConfigError(`new Svc(): ${problems}`);
  const credentials = readCredentials(options, problems);
  const baseUrl = readBaseUrl(options, problems);
  if (problems.length === 0)
    for (const problem of timeoutProblems(options.timeoutMs, options.fetch)) problems.push(problem);
  if (problems.length > 0) throw new ConfigError(`new Svc(): ${problems.join(" ")}`);
  const { origin } = new URL(baseUrl);
  const isLocal = staysHere(new URL(baseUrl), options.fetch);
  const note = options.use.map((middleware) => field(middleware, "note")).find(isNote);
  const owner: ClientOwner = { origin, isLocal, fetch: options.fetch, note };
  const settings = {
    baseUrl,
    /** Scheme, host and port of `baseUrl`. */
    origin,
    isLocal,
    apiVersion: options.apiVersion,
    credentials,
    toolVersions: new Map(Object.entries(options.toolVersions ?? {})),
    toolkitVersions: new Map(Object.entries(options.toolkitVersions ?? {})),
    timeoutMs: options.timeoutMs,
    deadlineMs: options.deadlineMs,
    maxRetries: options.maxRetries,
    maxRetryDelayMs: options.maxRetryDelayMs,
    maxBodyBytes: options.maxBodyBytes,
    /** Keyed by lowercase name. */
    headers: lowerCased({ accept: "application/json", ...options.headers }),
    fetch: options.fetch,
    clock: options.clock ?? systemClock,
    sharedRateLimit: options.sharedRateLimit,
    owner,
    retryBudget: new RetryBudget(),
    // Copied like the rest: what is added later isn't checked.
    use: [...options.use],
  };
  // A piece in use may print its call, and the settings with it.
  for (const name of ["credentials", "headers"]) Object.defineProperty(settings, name, { enumerable: false });
  return settings;
}

/** Whether requests stay on this machine. */
function staysHere(url: URL, fetch: Fetch | undefined): boolean {
  return isLoopback(url.hostname) && (fetch !== undefined || !proxyOf(url));
}

/** Options, checked and with their defaults. */
export type Settings = Readonly<ReturnType<typeof resolveSettings>>;

/** Headers with lowercase names, so that a later one replaces an earlier one. */
export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function readCredentials(options: SvcOptions, problems: string[]): Map<CredentialKind, string> {
  const credentials = new Map<CredentialKind, string>();
  for (const kind of CREDENTIAL_KINDS) {
    const { variable } = CREDENTIALS[kind];
    const option = options[kind];
    const found = option ?? (variable && environmentVariable(variable, options.env));
    // A variable that is empty isn't set; an option that is blank is a mistake.
    if (found === undefined || (option === undefined && found === "")) continue;
    const value = typeof found === "string" ? found.trim() : found;
    const problem = credentialProblem(kind, value);
    if (problem === undefined) credentials.set(kind, String(value));
    else problems.push(`${option === undefined ? variable : kind} ${problem}.`);
  }
  return credentials;
}

/** The base URL without a slash at its end, from the options or the environment. Problems are added to `problems`. */
function readBaseUrl(options: SvcOptions, problems: string[]): string {
  const { variable } = OPTIONS.baseUrl;
  const source = options.baseUrl === undefined ? variable : "baseUrl";
  const value = options.baseUrl ?? environmentVariable(variable, options.env);
  if (value === undefined || value === "") {
    problems.push(`No base URL. Pass baseUrl or set ${variable}. (\`npx svc-sdk emulator\` starts a local service.)`);
    return "";
  }
  if (typeof value === "string" && KEY_OR_SECRET.test(value)) {
    problems.push(
      `${source} contains a key or a secret. Pass a key as apiKey, and a URL like https://api.example.com as baseUrl.`,
    );
    return "";
  }
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    problems.push(`${source} must be a URL like https://api.example.com, not ${shownUrl(value)}`);
    return "";
  }
  if (url.username || url.password || url.search || url.hash) {
    problems.push(`${source} must not contain a user name, password, query or fragment.`);
  }
  const path = withoutSlashesAtEnd(url.pathname);
  const [prefix] = /\/api(\/v[\d.]+)?$/.exec(path) ?? [];
  if (prefix) problems.push(`${source} must not contain the API prefix. Remove ${prefix}; the client adds it.`);
  if (url.protocol === "http:" && !allowsInsecureHttp(options)) {
    const danger = isLoopback(url.hostname)
      ? proxyDanger(url, options)
      : "must be https: over plain http, others can read the key.";
    if (danger) {
      problems.push(
        `${source} ${danger} allowInsecureHttp: true or ${OPTIONS.allowInsecureHttp.variable}=true overrides this.`,
      );
    }
  }
  return url.origin + path;
}

/** Words for a value that isn't a base URL. Only a string that can't be a key is shown, with a URL to use instead. */
function shownUrl(value: unknown): string {
  if (typeof value !== "string") return `${kindOf(value)}.`;
  if (/^\s*["']/.test(value)) return "a string in quotes, which some environment files keep: remove them.";
  const [scheme] = /^[a-z]+:(?=\/\/)/.exec(value) ?? [];
  if (scheme) return `a URL that starts with ${scheme}.`;
  const host = /^((?:[a-z\d-]+\.)+[a-z]{2,}|(?:\d+\.){3}\d+|localhost)(:\d+)?(\/[a-z\d./-]*)?$/.exec(value)?.[1];
  if (host === undefined || value.length > 80) return "this string.";
  return `${JSON.stringify(value)}. Did you mean ${isLoopback(host) ? "http" : "https"}://${value}?`;
}

function allowsInsecureHttp({ allowInsecureHttp, env }: SvcOptions): boolean {
  const { variable } = OPTIONS.allowInsecureHttp;
  return (allowInsecureHttp ?? environmentVariable(variable, env) === "true") === true;
}

/** By hand: a pattern's time grows with the square of the number of slashes. */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

function proxyDanger(url: URL, { fetch }: SvcOptions): string | undefined {
  const variable = fetch === undefined ? proxyOf(url)?.variable : undefined;
  return (
    variable &&
    `is on this machine, but ${variable} sends its requests, including keys, to a proxy. Add ${url.hostname} to NO_PROXY.`
  );
}
