import { field } from "../../json.js";
import { OPTIONS } from "./checks.js";
import type { SvcOptions } from "./options.js";

/** The base URL without a slash at its end, from the options or the environment. What is wrong with it goes to `problems`. */
export function readBaseUrl(options: SvcOptions, environment: object, problems: string[]): string {
  const { variable } = OPTIONS.baseUrl;
  const source = options.baseUrl === undefined ? variable : "baseUrl";
  const value = options.baseUrl ?? field(environment, variable);
  if (value === undefined || value === "") {
    problems.push(
      `No service address: pass baseUrl or set ${variable}. (\`npx svc emulator\` starts a local service.)`,
    );
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
  if (url.protocol === "http:" && options.allowInsecureHttp !== true) {
    const danger = isLoopback(url.hostname)
      ? proxyDanger(url, options)
      : "must be https: a key over plain http can be read on the way.";
    if (danger) problems.push(`${source} ${danger} allowInsecureHttp: true overrides this.`);
  }
  return url.origin + path;
}

/** By hand: a pattern takes time by the square of the number of slashes. */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
}

function proxyDanger(url: URL, { fetch }: SvcOptions): string | undefined {
  const variable = fetch === undefined ? proxyVariable(url) : undefined;
  return (
    variable &&
    `is on this machine, but ${variable} sends its requests, keys included, to a proxy: add ${url.hostname} to NO_PROXY.`
  );
}

/** What decides whether the runtime's `fetch` uses a proxy. It reads the process's own variables, whatever the client is given. */
interface Process {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly execArgv?: readonly string[];
  readonly versions?: Readonly<Record<string, string | undefined>>;
}

/** The variable by which the runtime's `fetch` sends requests to this plain-http URL to a proxy, if there is one. */
function proxyVariable(url: URL): string | undefined {
  try {
    const { process } = globalThis as { process?: Process };
    const { env = {}, execArgv = [], versions = {} } = process ?? {};
    const variable = ["http_proxy", "HTTP_PROXY"].find((name) => env[name]);
    if (variable === undefined) return undefined;
    const { NODE_USE_ENV_PROXY, NODE_OPTIONS = "", NO_PROXY = "", no_proxy = NO_PROXY } = env;
    const isOtherRuntime = versions["bun"] !== undefined || versions["deno"] !== undefined;
    const isAsked = NODE_USE_ENV_PROXY === "1" || [...execArgv, NODE_OPTIONS].join(" ").includes("--use-env-proxy");
    return (isOtherRuntime || isAsked) && !isExcepted(url, no_proxy) ? variable : undefined;
  } catch {
    // Deno without --allow-env: its fetch can't read the variables either.
    return undefined;
  }
}

/** Whether `NO_PROXY` names the host: as it is, with its port, by a suffix, or with all others. */
function isExcepted({ hostname, port }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const exact = ["*", host, hostname, `${hostname}:${port || 80}`];
  return list
    .toLowerCase()
    .split(/[\s,]/)
    .some((entry) => exact.includes(entry) || (/^\*?\./.test(entry) && `.${host}`.endsWith(entry.replace("*", ""))));
}
