import { field } from "./json.js";

/** Parts of the process that are read here. Not every runtime has one, so the standard types don't name it. */
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

/**
 * The variable by which the runtime's `fetch` sends requests to this plain-http URL to a proxy, if there is one. Always
 * of the process: the option `environment` doesn't change what `fetch` does.
 */
export function proxyVariable(url: URL): string | undefined {
  try {
    const { env = {}, execArgv = [], versions = {} } = (globalThis as Runtime).process ?? {};
    const variable = ["http_proxy", "HTTP_PROXY"].find((name) => env[name]);
    const { NODE_USE_ENV_PROXY, NODE_OPTIONS = "", NO_PROXY = "", no_proxy = NO_PROXY } = env;
    const isOtherRuntime = versions["bun"] !== undefined || versions["deno"] !== undefined;
    const isAsked = NODE_USE_ENV_PROXY === "1" || [...execArgv, NODE_OPTIONS].join(" ").includes("--use-env-proxy");
    return (isOtherRuntime || isAsked) && !isExceptedFromProxy(url, no_proxy) ? variable : undefined;
  } catch {
    // Deno without --allow-env: its fetch can't read the variables either.
    return undefined;
  }
}

/** Whether the list in `NO_PROXY` contains a URL's host: exactly, with its port, by a suffix, or by `*`. */
export function isExceptedFromProxy({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const exact = ["*", host, hostname, `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`];
  return list
    .toLowerCase()
    .split(/[\s,]/)
    .some((entry) => exact.includes(entry) || (/^\*?\./.test(entry) && `.${host}`.endsWith(entry.replace("*", ""))));
}
