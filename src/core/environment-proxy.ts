/** What decides whether the runtime's `fetch` uses a proxy. It reads the process's own variables, whatever the client is given. */
interface Process {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly execArgv?: readonly string[];
  readonly versions?: Readonly<Record<string, string | undefined>>;
}

/** The variable by which the runtime's `fetch` sends requests to this plain-http URL to a proxy, if there is one. */
export function proxyFor(url: URL): string | undefined {
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
  return list
    .toLowerCase()
    .split(/[\s,]/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const suffix = entry.replace(/^\*?\./, ".");
      return (
        entry === "*" ||
        [host, hostname, `${hostname}:${port || 80}`].includes(entry) ||
        `.${host}`.endsWith(suffix.startsWith(".") ? suffix : `\0`)
      );
    });
}
