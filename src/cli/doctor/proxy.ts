import { request as requestOverHttp } from "node:http";
import { request as requestOverHttps } from "node:https";
import { isExceptedFromProxy, isLoopback } from "../../shared/environment.js";
import { codeOf, type Finding, type Setup } from "./finding.js";

/** A proxy in the environment that applies to a URL. */
export interface Proxy {
  /** The variable that names it: `HTTPS_PROXY`. */
  readonly variable: string;
  /** Its URL; `undefined` if it isn't one. It may contain a password. */
  readonly url: URL | undefined;
  /** Whether Node sends requests through it. By default, Node ignores these variables. */
  readonly isUsed: boolean;
}

/** The proxy that the environment names for a URL. */
export function proxyFor(target: URL, { environment, usesProxyOption }: Setup): Proxy | undefined {
  const names = target.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const variable = names.find((name) => environment[name]);
  if (variable === undefined || isExceptedFromProxy(target, environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")) {
    return undefined;
  }
  const value = environment[variable] ?? "";
  const isUsed =
    usesProxyOption ||
    environment["NODE_USE_ENV_PROXY"] === "1" ||
    (environment["NODE_OPTIONS"] ?? "").includes("--use-env-proxy");
  return { variable, url: URL.canParse(value) && /^https?:/.test(value) ? new URL(value) : undefined, isUsed };
}

/** Tests a proxy that Node uses for a URL. */
export async function proxyFindings(target: URL, proxy: Proxy, setup: Setup): Promise<Finding[]> {
  const { variable, url } = proxy;
  if (isLoopback(target.hostname)) {
    return [
      {
        id: "proxy_for_loopback",
        problem: `${variable} sends requests for this machine, ${target.host}, to a proxy.`,
        why: "The proxy can't reach this machine under that name, and it would see the key.",
        fix: `export NO_PROXY=${target.hostname}`,
      },
    ];
  }
  if (url === undefined) {
    return [
      {
        id: "proxy_invalid",
        problem: `${variable} isn't a URL like http://proxy.example.com:3128.`,
        why: "Node sends requests through this proxy and fails on each.",
        fix: `export ${variable}=<http://host:port>`,
      },
    ];
  }
  const outcome = await tunnelTo(target, url, setup.timeoutMs);
  if (outcome === 200) return [];
  if (outcome === 407) {
    return [
      {
        id: "proxy_authentication",
        problem: `The proxy ${url.host} of ${variable} requires a user name and password (407).`,
        why: "Without them it passes no request on.",
        fix: `export ${variable}=${url.protocol}//<user>:<password>@${url.host}`,
      },
    ];
  }
  if (typeof outcome === "number") {
    return [
      {
        id: "proxy_refuses",
        problem: `The proxy ${url.host} of ${variable} doesn't connect to ${target.host} (${outcome}).`,
        why: "Every request goes through the proxy, so none arrives.",
        fix: `export NO_PROXY=${target.hostname}`,
      },
    ];
  }
  return [
    {
      id: "proxy_unreachable",
      problem: `The proxy ${url.host} of ${variable} doesn't respond (${outcome}).`,
      why: "Every request goes through the proxy, so none arrives.",
      fix: `unset ${variable}`,
    },
  ];
}

/** The status with which a proxy responds to a request for a tunnel, or why it doesn't respond. */
function tunnelTo(target: URL, proxy: URL, timeoutMs: number): Promise<number | string> {
  const port = target.port || (target.protocol === "https:" ? "443" : "80");
  const path = `${target.hostname}:${port}`;
  const credentials = decodeURIComponent(`${proxy.username}:${proxy.password}`);
  const headers = {
    host: path,
    ...(proxy.username && { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }),
  };
  const isTls = proxy.protocol === "https:";
  const request = isTls ? requestOverHttps : requestOverHttp;
  const proxyPort = proxy.port || (isTls ? 443 : 80);
  return new Promise((resolve) => {
    const connecting = request({ method: "CONNECT", hostname: proxy.hostname, port: proxyPort, path, headers });
    connecting.setTimeout(timeoutMs, () => connecting.destroy(new Error("ETIMEDOUT")));
    connecting.once("connect", ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    connecting.once("response", (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    connecting.once("error", (error) => resolve(codeOf(error) ?? error.message));
    connecting.end();
  });
}

/** The finding for a proxy that is set, but that Node doesn't use, if the service can't be reached without it. */
export function ignoredProxyFinding({ variable }: Proxy): Finding {
  return {
    id: "proxy_ignored",
    problem: `The service can't be reached directly, and Node ignores ${variable}.`,
    why: "Node's fetch uses the proxy of the environment only if it's configured to.",
    fix: "export NODE_USE_ENV_PROXY=1",
  };
}
