import { field } from "./json.js";

/** The parts of the process that the client needs. Not every runtime has one, so the standard types don't name it. */
interface Runtime {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly execArgv?: readonly string[];
    readonly versions?: Readonly<Record<string, string | undefined>>;
  };
}

/** A variable of the process. */
export function processVariable(name: string): string | undefined {
  try {
    return (globalThis as Runtime).process?.env?.[name];
  } catch {
    // Deno without --allow-env: no environment can be read, so only options count.
    return undefined;
  }
}

/** A variable of this environment, by default that of the process. */
export function environmentVariable(name: string, environment: object | undefined): unknown {
  return environment === undefined || environment === null ? processVariable(name) : field(environment, name);
}

/** Whether the host name of a URL is this machine. `localhost` and the names below it belong to no one: RFC 6761. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
}

/** Whether `fetch` of this runtime is Node's, which is undici with its default limits. */
export function isNode({ versions = {} } = (globalThis as Runtime).process ?? {}): boolean {
  return ["undici", "bun", "deno"].every((name) => (versions[name] !== undefined) === (name === "undici"));
}

/** A proxy that the runtime's `fetch` uses. */
export interface FetchProxy {
  /** The environment variable that names it. */
  readonly variable: string;
  /** Host and port, without the user name and password that the variable may contain. */
  readonly host: string;
}

/**
 * The proxy to which the runtime's `fetch` sends requests for a URL, if there is one. A client always reads it from the
 * process: the option `env` doesn't change what `fetch` does.
 */
export function proxyOf(url: URL, process = (globalThis as Runtime).process): FetchProxy | undefined {
  try {
    const { env = {}, execArgv = [], versions = {} } = process ?? {};
    const scheme = url.protocol.slice(0, -1);
    const variable = [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`].find((name) => env[name]);
    const { NODE_USE_ENV_PROXY, NODE_OPTIONS = "", NO_PROXY = "", no_proxy = NO_PROXY } = env;
    const isOtherRuntime = versions["bun"] !== undefined || versions["deno"] !== undefined;
    const isAsked = NODE_USE_ENV_PROXY === "1" || [...execArgv, NODE_OPTIONS].join(" ").includes("--use-env-proxy");
    const isUsed = variable && (isOtherRuntime || isAsked) && !isExceptedFromProxy(url, no_proxy);
    const value = env[variable ?? ""] ?? "";
    return isUsed ? { variable, host: URL.canParse(value) ? new URL(value).host : "of this variable" } : undefined;
  } catch {
    // Deno without --allow-env: its fetch can't read the variables either.
    return undefined;
  }
}

/** Whether the list in `NO_PROXY` contains a URL's host: exactly, with its port, by a suffix, or by `*`. */
function isExceptedFromProxy({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const exact = ["*", host, hostname, `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`];
  return list
    .toLowerCase()
    .split(/[\s,]/)
    .some((entry) => exact.includes(entry) || (/^\*?\./.test(entry) && `.${host}`.endsWith(entry.replace("*", ""))));
}
