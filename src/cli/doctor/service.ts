import { REFUSED, UNRESOLVED } from "../../client/attempt-failure.js";
import { ApiError, ResponseError, Svc } from "../../index.js";
import { isLoopback, proxyOf } from "../../shared/environment.js";
import { field } from "../../shared/json.js";
import { messageOf } from "../../shared/message-of.js";
import { quoted } from "../print.js";
import { type CheckResult, checkedResult, codeOf, type Finding, type Setup } from "./finding.js";
import type { Probe } from "./keys.js";

const CORRECT_URL = "export SVC_BASE_URL=<https://the-service>";

/** A variable that makes Node trust any server. Nothing is sent to one. */
const CHECKS_OFF: Finding = {
  id: "tls_checks_off",
  problem: "NODE_TLS_REJECT_UNAUTHORIZED=0 turns off all certificate checks.",
  why: "Anyone between this machine and the service can read the key.",
  fix: "unset NODE_TLS_REJECT_UNAUTHORIZED",
};

/** Checks `SVC_BASE_URL` with the client's own rules. The URL is `undefined` if the client wouldn't accept it. */
export function checkBaseUrl({ environment }: Setup): { readonly result: CheckResult; readonly url: URL | undefined } {
  const { SVC_BASE_URL: value = "", SVC_ALLOW_INSECURE_HTTP } = environment;
  const problem = problemWith({ SVC_BASE_URL: value, SVC_ALLOW_INSECURE_HTTP });
  if (problem === undefined) {
    const url = new URL(value.trim());
    const detail = url.origin + url.pathname.replace(/\/$/, "");
    if (url.protocol === "http:" || environment["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0") {
      return { result: checkedResult("base URL", detail), url };
    }
    return { result: checkedResult("base URL", detail, [CHECKS_OFF]), url: undefined };
  }
  const id = value.trim() === "" ? "base_url_missing" : "base_url_invalid";
  const why = "The client can't be created without a valid base URL.";
  const fix = `export SVC_BASE_URL=${corrected(value) ?? "<https://the-service>"}`;
  const finding = problem.includes(" to NO_PROXY.")
    ? { id: "proxy_for_loopback", problem, why, fix: `export NO_PROXY=${new URL(value.trim()).hostname}` }
    : { id, problem, why, fix };
  return { result: checkedResult("base URL", value.trim() === "" ? "not set" : "invalid", [finding]), url: undefined };
}

function problemWith(env: object): string | undefined {
  try {
    new Svc({ env });
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
  // One word is more likely a mistake than the name of a host.
  if (scheme === "" && /^[\w-]+$/.test(url.host) && !isLoopback(url.hostname)) return undefined;
  const protocol = isLoopback(url.hostname) && scheme !== "https" ? "http:" : "https:";
  return `${protocol}//${url.host}${url.pathname.replace(/\/+(?:api(?:\/v[\d.]+)?\/*)?$/, "")}`;
}

/** Whether the service itself responded, and not another server at its URL. */
export function checkService(url: URL, [probe]: readonly Probe[], setup: Setup): CheckResult {
  const { error, status } = probe ?? {};
  const problem = messageOf(error);
  if (status === undefined) return checkedResult("service", "no response", [unreached(url, error, setup)]);
  if (isForeign(error)) {
    const why = "The base URL leads to another server, another path, or the sign-in page of a network.";
    const foreign = `Another server responds at ${url.href}: ${problem}`;
    const finding = { id: "another_server", problem: foreign, why, fix: CORRECT_URL };
    return checkedResult("service", `responds with ${status}`, [finding]);
  }
  if (status >= 500) {
    const why = "Nothing on this machine causes it. The client retries such calls if that is safe.";
    const finding = { id: "service_fails", problem, why, fix: "npx svc-sdk doctor" };
    return checkedResult("service", `responds with ${status}`, [finding]);
  }
  return checkedResult("service", probe?.variable ? `responds with ${status}` : "responds");
}

/**
 * Whether an error response, or an unreadable one, isn't the service's. Its own errors have a code or slug, or a 429
 * its message. Other servers don't know the path or its method, and many of them have an error object too.
 */
function isForeign(error: unknown): boolean {
  if (error instanceof ResponseError) return true;
  if (!(error instanceof ApiError) || error.status === 429 || error.status >= 500) return false;
  if (error.code !== undefined || error.errorSlug !== undefined) return false;
  return [404, 405].includes(error.status) || typeof field(error.body, "error") !== "object";
}

/** The client's message about a call without a response, and the command for its cause. */
function unreached(url: URL, error: unknown, { environment: env, execArgv }: Setup): Finding {
  const code = codeOf(error) ?? "";
  const problem = messageOf(error);
  const [, id = "no_response", fix] = CAUSES.find(([pattern]) => pattern.test(code)) ?? [];
  // By default, Node ignores it.
  const proxy = proxyOf(url, { env, execArgv: ["--use-env-proxy"] })?.variable;
  if (proxy === undefined || /^(certificate|not_tls)/.test(id)) {
    const why = "Every call of your program fails in the same way.";
    return { id, problem, why, fix: fix?.(url) ?? `curl -v ${quoted(url.origin)}` };
  }
  if (proxyOf(url, { env, execArgv })) {
    const why = `Every request goes through the proxy of ${proxy}. It may be down, block the host, or require a password.`;
    return { id: "proxy_fails", problem, why, fix: `export NO_PROXY=${url.hostname}` };
  }
  const why = `The service can't be reached directly, and Node ignores ${proxy} unless it's told to use it.`;
  return { id: "proxy_ignored", problem, why, fix: "export NODE_USE_ENV_PROXY=1" };
}

/** The findings for the codes of the runtime. */
const CAUSES: readonly (readonly [code: RegExp, id: string, fix: (url: URL) => string])[] = [
  [UNRESOLVED, "host_unknown", () => CORRECT_URL],
  [
    REFUSED,
    "nothing_listens",
    ({ hostname, port }) => (isLoopback(hostname) ? `npx svc-sdk emulator --port ${port || 80}` : CORRECT_URL),
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    "certificate_expired",
    ({ hostname, port }) =>
      `openssl s_client -connect ${hostname}:${port || 443} -servername ${hostname} | openssl x509 -noout -dates`,
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "certificate_of_another_host", () => CORRECT_URL],
  [/SELF_SIGNED|^UNABLE_TO_/, "certificate_untrusted", () => "export NODE_EXTRA_CA_CERTS=</path/to/issuer.pem>"],
  [
    /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    "not_tls",
    ({ hostname, host }) => (isLoopback(hostname) ? `export SVC_BASE_URL=http://${host}` : CORRECT_URL),
  ],
];
