import { readFileSync } from "node:fs";
import * as net from "node:net";
import * as tls from "node:tls";
import { Svc } from "../../index.js";
import { isExceptedFromProxy, isLoopback } from "../../shared/environment.js";
import { type CheckResult, checked, codeOf, type Finding, messageOf, type Setup, skipped } from "./finding.js";

/** Checks `SVC_BASE_URL` with the client's own rules. The URL is `undefined` if the client wouldn't accept it. */
export function checkBaseUrl({ environment }: Setup): { readonly result: CheckResult; readonly url: URL | undefined } {
  const { SVC_BASE_URL: value = "", SVC_ALLOW_INSECURE_HTTP } = environment;
  const problem = problemWith({ SVC_BASE_URL: value, SVC_ALLOW_INSECURE_HTTP });
  if (problem === undefined) {
    const url = new URL(value.trim());
    return { result: checked("base URL", url.origin + url.pathname.replace(/\/$/, "")), url };
  }
  const isMissing = value.trim() === "";
  const finding: Finding = {
    id: isMissing ? "base_url_missing" : "base_url_invalid",
    problem,
    why: "The client can't be created without a valid base URL.",
    fix: `export SVC_BASE_URL=${corrected(value) ?? "<https://the-service>"}`,
  };
  return { result: checked("base URL", isMissing ? "not set" : "invalid", [finding]), url: undefined };
}

function problemWith(environment: object): string | undefined {
  try {
    // With its own fetch, the client leaves proxies to us.
    new Svc({ env: environment, fetch: (request) => fetch(request) });
    return undefined;
  } catch (error) {
    return messageOf(error).replace(/^new Svc\(\): /, "");
  }
}

/** The URL that was probably meant: with a scheme, and without a password, a query and the API prefix. */
function corrected(value: string): string | undefined {
  const [, scheme = "", rest = ""] = /^(?:["'\s]*)(?:(\w+):\/\/)?(.*?)["'\s]*$/.exec(value) ?? [];
  if (!URL.canParse(`https://${rest}`)) return undefined;
  const url = new URL(`https://${rest}`);
  const protocol = isLoopback(url.hostname) && scheme !== "https" ? "http:" : "https:";
  return `${protocol}//${url.host}${url.pathname.replace(/\/+(?:api(?:\/v[\d.]+)?\/*)?$/, "")}`;
}

/** Checks the way to the service: proxy, name, port, certificate. */
export async function checkNetwork(url: URL, setup: Setup): Promise<CheckResult[]> {
  const proxy = proxyFor(url, setup);
  const trust = trustFindings(url, setup);
  if (proxy?.isUsed) {
    const findings = isLoopback(url.hostname) ? [loopbackFinding(url, proxy)] : [];
    const connection =
      trust.length > 0 ? checked("connection", url.host, trust) : skipped("connection", "the proxy connects");
    return [checked("proxy", proxy.variable, findings), connection];
  }
  const code = await connectTo(url, setup);
  const detail = proxy ? `${proxy.variable} is set, Node doesn't use it` : "none";
  if (proxy && code !== undefined && !certificateFinding(url, code)) {
    return [checked("proxy", detail, [ignoredFinding(proxy)]), skipped("connection", "see proxy")];
  }
  const findings = code === undefined ? trust : [...trust, connectionFinding(url, code)];
  return [checked("proxy", detail), checked("connection", url.host, findings)];
}

/** The variable that makes Node trust any server. */
function trustFindings({ protocol }: URL, { environment }: Setup): Finding[] {
  if (protocol !== "https:" || environment["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0") return [];
  const problem = "NODE_TLS_REJECT_UNAUTHORIZED=0 turns off all certificate checks.";
  const why = "Anyone between this machine and the service can read the key.";
  return [{ id: "tls_checks_off", problem, why, fix: "unset NODE_TLS_REJECT_UNAUTHORIZED" }];
}

/** A proxy in the environment that applies to a URL. */
interface Proxy {
  /** The variable that names it: `HTTPS_PROXY`. */
  readonly variable: string;
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
  const isUsed =
    usesProxyOption ||
    environment["NODE_USE_ENV_PROXY"] === "1" ||
    (environment["NODE_OPTIONS"] ?? "").includes("--use-env-proxy");
  return { variable, isUsed };
}

function loopbackFinding(target: URL, { variable }: Proxy): Finding {
  return {
    id: "proxy_for_loopback",
    problem: `${variable} sends requests for this machine, ${target.host}, to a proxy.`,
    why: "The proxy can't reach this machine under that name, and it would see the key.",
    fix: `export NO_PROXY=${target.hostname}`,
  };
}

/** The service can't be reached directly, but maybe through the proxy. */
function ignoredFinding({ variable }: Proxy): Finding {
  return {
    id: "proxy_ignored",
    problem: `The service can't be reached directly, and Node ignores ${variable}.`,
    why: "Node's fetch uses the proxy of the environment only if it's configured to.",
    fix: "export NODE_USE_ENV_PROXY=1",
  };
}

/** Why a connection or its handshake fails; `undefined` if both succeed. */
function connectTo(url: URL, { environment, timeoutMs }: Setup): Promise<string | undefined> {
  const isTls = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const target = { host, port: portOf(url) };
  // A server name must not be an IP address.
  const name = net.isIP(host) === 0 ? { servername: host } : {};
  const ca = [...trusted(), ...extraCertificates(environment["NODE_EXTRA_CA_CERTS"])];
  return new Promise((resolve) => {
    // Certificates are always checked, whatever the environment says about it.
    const socket = isTls ? tls.connect({ ...target, ...name, ca, rejectUnauthorized: true }) : net.connect(target);
    const end = (outcome: string | undefined) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.setTimeout(timeoutMs, () => end("ETIMEDOUT"));
    socket.once(isTls ? "secureConnect" : "connect", () => end(undefined));
    socket.once("error", (error) => end(codeOf(error) ?? error.message));
  });
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === "https:" ? 443 : 80);
}

/**
 * The certificates that Node trusts, those of the system included if it was told so. Before Node 22.15, only its own.
 */
function trusted(): readonly string[] {
  return "getCACertificates" in tls ? tls.getCACertificates("default") : OWN_CERTIFICATES;
}

const OWN_CERTIFICATES = tls.rootCertificates;

/** The certificates in a file. Node itself warns if it can't be read. */
function extraCertificates(file: string | undefined): string[] {
  try {
    return file ? [readFileSync(file, "utf8")] : [];
  } catch {
    return [];
  }
}

function connectionFinding(url: URL, code: string): Finding {
  const known = certificateFinding(url, code);
  if (known) return known;
  if (/^(ENOTFOUND|EAI_\w+)$/.test(code)) {
    return {
      id: "host_unknown",
      problem: `The host name ${url.hostname} can't be resolved (${code}).`,
      why: "No request can be sent. The name is misspelled, or this machine has no working DNS server.",
      fix: "export SVC_BASE_URL=<https://the-service>",
    };
  }
  const isHere = isLoopback(url.hostname);
  return {
    id: code === "ECONNREFUSED" ? "nothing_listens" : "host_unreachable",
    problem: `${url.host} accepts no connection (${code}).`,
    why: isHere
      ? "No service or emulator is running there."
      : "The port is wrong, the service is down, or a firewall is in the way.",
    fix: isHere ? `npx svc-sdk emulator --port ${portOf(url)}` : "export SVC_BASE_URL=<https://the-service>",
  };
}

/** The finding for the code of a failed handshake; `undefined` if it isn't known as one. */
export function certificateFinding(url: URL, code = ""): Finding | undefined {
  const { host, hostname } = url;
  const why = "Node sends nothing to a server that can't show who it is.";
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) {
    const problem = `The certificate of ${hostname} has expired or isn't valid yet, as this machine's clock sees it.`;
    const connection = `openssl s_client -connect ${hostname}:${portOf(url)} -servername ${hostname}`;
    return { id: "certificate_expired", problem, why, fix: `${connection} | openssl x509 -noout -dates` };
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const problem = `The certificate of ${hostname} is for another host name.`;
    return { id: "certificate_of_another_host", problem, why, fix: "export SVC_BASE_URL=<https://the-service>" };
  }
  if (/SELF_SIGNED|^UNABLE_TO_/.test(code)) {
    const problem = `Node doesn't trust the issuer of the certificate of ${hostname} (${code}).`;
    return { id: "certificate_untrusted", problem, why, fix: "export NODE_EXTRA_CA_CERTS=</path/to/issuer.pem>" };
  }
  if (/^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/.test(code)) {
    const problem = `${host} responds without TLS, but the base URL is https:.`;
    const fix = `export SVC_BASE_URL=${isLoopback(hostname) ? `http://${host}` : "<https://the-service>"}`;
    return { id: "not_tls", problem, why: "The handshake fails, so no request is sent.", fix };
  }
  return undefined;
}
