import { ConfigError } from "../errors/local.js";
import { field, isRecord } from "../json.js";
import { credentialProblem, headerProblems, kindProblems, numberProblems, unknownNames } from "./checks.js";
import { systemClock } from "./clock.js";
import { readLock, readVersions } from "./configured-versions.js";
import { guarded } from "./contract-guard.js";
import { CREDENTIAL_KINDS, CREDENTIALS, type CredentialKind } from "./credentials.js";
import { proxyFor } from "./environment-proxy.js";
import { LOG_LEVELS, Log, type LogLevel } from "./log.js";
import type { Settings, SvcOptions } from "./options.js";
import { RetryBudget } from "./retry-budget.js";

/** Every option there is; the compiler keeps the list complete. A misspelt one is refused instead of ignored. */
const OPTION_NAMES = Object.keys({
  apiKey: 1,
  userApiKey: 1,
  orgApiKey: 1,
  sessionCookie: 1,
  baseUrl: 1,
  apiVersion: 1,
  toolVersions: 1,
  toolkitVersions: 1,
  lock: 1,
  requireLocked: 1,
  timeoutMs: 1,
  deadlineMs: 1,
  maxRetries: 1,
  maxRetryWaitMs: 1,
  maxBodyBytes: 1,
  headers: 1,
  fetch: 1,
  clock: 1,
  allowInsecureHttp: 1,
  contract: 1,
  validateArguments: 1,
  onMismatch: 1,
  onEvent: 1,
  logger: 1,
  logLevel: 1,
  retryBudget: 1,
  rateWindow: 1,
  environment: 1,
} satisfies Record<keyof SvcOptions, 1>);

/**
 * Checks the options and fills in environment and defaults. One error lists everything that is wrong.
 *
 * @throws {ConfigError} naming each wrong option or variable. Never quotes a key.
 */
export function resolveSettings(options: SvcOptions): Settings {
  if (!isRecord(options)) {
    throw new ConfigError("new Svc(): the options must be an object. Await what is a promise.");
  }
  if (Object.hasOwn(options, "connection")) throw new ConfigError("new Svc(): of an emulator, pass its connection.");
  const environment: object = options.environment ?? readProcessEnvironment();
  const problems = [
    ...unknownNames(options, OPTION_NAMES),
    ...numberProblems(options),
    ...headerProblems(options.headers),
    ...kindProblems(options),
  ];

  const credentials = readCredentials(options, environment, problems);
  const baseUrl = readBaseUrl(options, environment, problems);
  if (options.apiVersion !== undefined && options.apiVersion !== "v3" && options.apiVersion !== "v3.1") {
    problems.push('apiVersion must be "v3.1" or "v3".');
  }
  const logLevel = readLogLevel(options, environment, problems);
  const lock = readLock(options, problems);
  const toolVersions = readVersions("toolVersions", options, lock?.tools, problems);
  const toolkitVersions = readVersions("toolkitVersions", options, lock?.toolkits, problems);

  if (problems.length > 0) throw new ConfigError(`new Svc(): ${problems.join(" ")}`);
  const log = new Log(options.logger ?? console, logLevel);
  return {
    baseUrl,
    origin: new URL(baseUrl).origin,
    apiVersion: options.apiVersion ?? "v3.1",
    credentials,
    toolVersions,
    toolkitVersions,
    requiredLock: options.requireLocked ? lock : undefined,
    timeoutMs: options.timeoutMs ?? 60_000,
    deadlineMs: options.deadlineMs,
    maxRetries: options.maxRetries ?? 2,
    maxRetryWaitMs: options.maxRetryWaitMs ?? 60_000,
    maxBodyBytes: options.maxBodyBytes ?? 64 * 1024 * 1024,
    headers: { accept: "application/json", ...lowerCased(options.headers ?? {}) },
    fetch: options.fetch,
    clock: options.clock ?? systemClock,
    contract: options.contract && guarded(options.contract, log),
    validateArguments: options.validateArguments,
    onMismatch: options.onMismatch ?? "report",
    onEvent: options.onEvent,
    log,
    retryBudget: options.retryBudget ?? new RetryBudget(),
    rateWindow: options.rateWindow,
  };
}

/** Headers under the names by which a later one replaces an earlier one. */
export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function readProcessEnvironment(): Readonly<Record<string, unknown>> {
  try {
    // Not every runtime has a process, so the standard types do not name it.
    const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
    const environment = process?.env ?? {};
    // Reads every variable now, so that a runtime that guards its environment refuses here and not in the middle.
    return Object.fromEntries(["SVC_BASE_URL", "SVC_LOG", ...VARIABLES].map((name) => [name, environment[name]]));
  } catch {
    // Deno without --allow-env: there is no environment to read, so the options are all there is.
    return {};
  }
}

const VARIABLES = CREDENTIAL_KINDS.flatMap((kind) => CREDENTIALS[kind].variable ?? []);

function readCredentials(options: SvcOptions, environment: object, problems: string[]): Map<CredentialKind, string> {
  const credentials = new Map<CredentialKind, string>();
  for (const kind of CREDENTIAL_KINDS) {
    const { variable } = CREDENTIALS[kind];
    const option = options[kind];
    const found = option ?? (variable === undefined ? undefined : field(environment, variable));
    // A variable that is set to nothing is not set; an option that is blank is a mistake.
    if (found === undefined || (option === undefined && found === "")) continue;
    const value = typeof found === "string" ? found.trim() : found;
    const problem = credentialProblem(value);
    if (problem === undefined) credentials.set(kind, value as string);
    else problems.push(`${option === undefined ? variable : kind} ${problem}.`);
  }
  return credentials;
}

function readBaseUrl(options: SvcOptions, environment: object, problems: string[]): string {
  const source = options.baseUrl === undefined ? "SVC_BASE_URL" : "baseUrl";
  const value = options.baseUrl ?? field(environment, "SVC_BASE_URL");
  if (value === undefined || value === "") {
    problems.push("No service address: pass baseUrl or set SVC_BASE_URL. (`npx svc emulator` starts a local service.)");
    return "";
  }
  const url = typeof value === "string" && URL.canParse(value.trim()) ? new URL(value.trim()) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    problems.push(`${source} must be an address like https://api.example.com.`);
    return "";
  }
  if (url.username || url.password || url.search || url.hash) {
    problems.push(`${source} must hold no user name, password, query or fragment.`);
  }
  const path = withoutSlashesAtEnd(url.pathname);
  if (/\/api(\/v[\d.]+)?$/.test(path)) {
    problems.push(
      `${source} must not hold the API prefix: leave out ${url.pathname.slice(0, 100)}, the client adds it.`,
    );
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && options.allowInsecureHttp !== true) {
    problems.push(
      `${source} must be https: a key over plain http can be read on the way. allowInsecureHttp: true overrides this.`,
    );
  }
  if (url.protocol === "http:" && isLoopback(url.hostname) && !options.fetch && options.allowInsecureHttp !== true) {
    const variable = proxyFor(url);
    if (variable !== undefined) {
      problems.push(
        `${source} is on this machine, but ${variable} sends its requests, keys included, to a proxy: add ${url.hostname} to NO_PROXY. ` +
          "allowInsecureHttp: true overrides this.",
      );
    }
  }
  return url.origin + path;
}

/** By hand: a pattern takes time by the square of the number of slashes. */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

function readLogLevel(options: SvcOptions, environment: object, problems: string[]): LogLevel {
  const given = options.logLevel ?? (field(environment, "SVC_LOG") || "warn");
  const level = LOG_LEVELS.find((known) => known === given);
  if (level === undefined) {
    const source = options.logLevel === undefined ? "SVC_LOG" : "logLevel";
    problems.push(`${source} must be one of ${LOG_LEVELS.join(", ")}.`);
  }
  return level ?? "off";
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
