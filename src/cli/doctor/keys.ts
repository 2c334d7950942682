import { CREDENTIAL_KINDS, CREDENTIALS } from "../../core/endpoint.js";
import {
  ApiError,
  AuthenticationError,
  ConfigError,
  PermissionDeniedError,
  ResponseError,
  Svc,
  SvcError,
} from "../../index.js";
import { field } from "../../shared/json.js";
import { type CheckResult, checked, codeOf, type Finding, messageOf, quoted, type Setup } from "./finding.js";
import { certificateFinding, proxyFor } from "./network.js";

/** A request that was made to test a key, or the service without one. */
export interface Probe {
  /** The variable with the key; `undefined` for the request without a key. */
  readonly variable: string | undefined;
  /** The error that the call rejected with. */
  readonly error: unknown;
  /** The response; `undefined` if none arrived. */
  readonly response: { readonly status: number; readonly headers: Headers } | undefined;
  /** When the request was sent and the response arrived, on this machine's clock. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** The variables with keys that are set, and findings about how they are written. Sends nothing. */
export function readKeys({ environment }: Setup): { readonly usable: readonly string[]; readonly findings: Finding[] } {
  const kinds = CREDENTIAL_KINDS.map((kind) => CREDENTIALS[kind]);
  const set = kinds.flatMap(({ variable }) => (variable && environment[variable]?.trim() ? [variable] : []));
  if (set.length === 0) {
    const finding: Finding = {
      id: "key_missing",
      problem: "No key is set: neither SVC_API_KEY nor SVC_USER_API_KEY nor SVC_ORG_API_KEY.",
      why: "Every operation needs a key; most need the project's.",
      fix: "export SVC_API_KEY=<key of your project>",
    };
    return { usable: [], findings: [finding] };
  }
  const findings = set.flatMap((variable) => writingFindings(variable, environment[variable]?.trim() ?? ""));
  return { usable: set.filter((variable) => !findings.some(({ problem }) => problem.startsWith(variable))), findings };
}

/** The client's own error about a key, and how to set the key right. */
function writingFindings(variable: string, key: string): Finding[] {
  try {
    new Svc({ baseUrl: "https://localhost", env: { [variable]: key } });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problem = error.message.replace(/^new Svc\(\): /, "");
    const meant = CREDENTIAL_KINDS.map((kind) => CREDENTIALS[kind]).find(
      ({ issued, variable: other }) => other !== variable && issued !== undefined && key.startsWith(issued),
    );
    if (meant?.variable === undefined) {
      const why = "The client rejects a key that can't be sent as it is.";
      return [
        { id: "key_malformed", problem, why, fix: `export ${variable}=<the key alone, without quotes or spaces>` },
      ];
    }
    const why = "Each kind of key has its own header, and the service accepts it only there.";
    const fix = `export ${meant.variable}="$${variable}" && unset ${variable}`;
    return [{ id: "key_of_another_kind", problem, why, fix }];
  }
}

/** Sends one reading request with each key; without keys, one request. */
export function probeKeys(url: URL, variables: readonly string[], setup: Setup): Promise<Probe[]> {
  return Promise.all((variables.length > 0 ? variables : [undefined]).map((variable) => probe(url, variable, setup)));
}

async function probe(url: URL, variable: string | undefined, setup: Setup): Promise<Probe> {
  let received: Pick<Probe, "response" | "sentAt" | "receivedAt"> | undefined;
  const sentAt = setup.now();
  const svc = clientFor(url, setup, {
    // Without a key, the service's rejection shows that it is the service.
    environment: variable === undefined ? { SVC_API_KEY: "none" } : { [variable]: setup.environment[variable] },
    onResponse: (response) => {
      received = { response, sentAt, receivedAt: setup.now() };
    },
  });
  const reading = isOfProject(variable) ? svc.toolkits.list({ limit: 1 }) : svc.session.info();
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { variable, error, ...(received ?? { response: undefined, sentAt, receivedAt: setup.now() }) };
}

/** Whether a probe reads what a project's key may read, and not what the others may. */
function isOfProject(variable: string | undefined): boolean {
  return variable === undefined || variable === "SVC_API_KEY";
}

/** A client for single requests: without retries, and with the timeout of the examination. */
export function clientFor(
  url: URL,
  { environment, timeoutMs }: Setup,
  own: { readonly environment?: object; readonly onResponse?: (response: Response) => void } = {},
): Svc {
  return new Svc({
    baseUrl: url.href,
    allowInsecureHttp: true,
    env: own.environment ?? environment,
    maxRetries: 0,
    timeoutMs,
    fetch: async (request) => {
      const response = await fetch(request);
      own.onResponse?.(response);
      return response;
    },
  });
}

/** Whether the service itself responded, and not another server at its URL. */
export function checkService(url: URL, [probe]: readonly Probe[], setup: Setup): CheckResult {
  const name = "service";
  const { error, response } = probe ?? {};
  if (response === undefined) {
    // Behind a proxy, this is the first connection.
    const untrusted = certificateFinding(url, codeOf(error));
    if (untrusted) return checked(name, "no response", [untrusted]);
    const proxy = proxyFor(url, setup);
    if (proxy?.isUsed) {
      // The client's message has the proxy's status, such as 407.
      const problem = `The proxy of ${proxy.variable} passes no request on to ${url.host}: ${messageOf(error)}`;
      const why = "Every request goes through it. It may be down, block the host, or require a password.";
      const fix = `export NO_PROXY=${url.hostname}`;
      return checked(name, "no response", [{ id: "proxy_fails", problem, why, fix }]);
    }
    const problem = `${url.host} sends no response: ${messageOf(error)}`;
    const why = "The connection works, so the service or something in front of it fails.";
    return checked(name, "no response", [{ id: "no_response", problem, why, fix: `curl -v ${quoted(url.origin)}` }]);
  }
  const { status } = response;
  if (status >= 300 && status < 400) {
    const location = response.headers.get("location") ?? "";
    const target = URL.canParse(location, url) ? new URL(location, url).origin : "another place";
    const problem = `${url.origin} redirects to ${target}.`;
    const why = "The client follows no redirect, because it would send the key to another place.";
    const fix = `export SVC_BASE_URL=${target === "another place" ? "<https://the-service>" : quoted(target)}`;
    return checked(name, String(status), [{ id: "redirected", problem, why, fix }]);
  }
  if (isForeign(error)) {
    const problem = `Something other than the service responds at ${url.href} (${status}).`;
    const why = "The base URL leads to another server, another path, or the sign-in page of a network.";
    const fix = "export SVC_BASE_URL=<https://the-service>";
    return checked(name, String(status), [{ id: "another_server", problem, why, fix }]);
  }
  if (status >= 500) {
    const requestId = error instanceof ApiError && error.requestId ? ` Its request id: ${error.requestId}.` : "";
    const problem = `The service fails with ${status}.${requestId}`;
    const why = "Nothing on this machine causes it. The client retries such calls if that is safe.";
    return checked(name, String(status), [{ id: "service_fails", problem, why, fix: "npx svc-sdk doctor" }]);
  }
  return checked(name, `responds with ${status}`);
}

/**
 * Whether an error response, or an unreadable one, isn't the service's. Its own errors have a code or slug, or a 429
 * its message. Other servers don't know the path or its method, and many of them have an error object too.
 */
function isForeign(error: unknown): boolean {
  if (error instanceof ResponseError) return true;
  if (!(error instanceof ApiError) || error.status === 429 || error.status >= 500) return false;
  if (error.code !== undefined || error.slug !== undefined) return false;
  return [404, 405].includes(error.status) || typeof field(error.body, "error") !== "object";
}

/** Findings from the service's response to each key. */
export function keyFindings(probes: readonly Probe[]): Finding[] {
  return probes.flatMap(({ variable, error }): Finding[] => {
    if (variable === undefined || error === undefined) return [];
    if (error instanceof AuthenticationError) {
      const problem = `The service rejects the key in ${variable} (401).`;
      const why = "It is misspelled, revoked, expired, or belongs to a service that isn't SVC_BASE_URL.";
      return [{ id: "key_rejected", problem, why, fix: `export ${variable}=<a new key>` }];
    }
    if (error instanceof PermissionDeniedError) {
      const problem = `The key in ${variable} may not read (403).`;
      const why = "Other calls with it will be rejected as well.";
      return [{ id: "key_without_permission", problem, why, fix: `export ${variable}=<a key with permissions>` }];
    }
    return error instanceof ApiError && error.status === 429 ? [] : [unexpected(variable, error)];
  });
}

function unexpected(variable: string, error: unknown): Finding {
  const problem = `A call with the key in ${variable} fails: ${error instanceof SvcError ? error.message : String(error)}`;
  const fix = `npx svc-sdk call ${isOfProject(variable) ? "toolkits.list --limit 1" : "session.info"} --verbose`;
  return { id: "key_call_fails", problem, why: "Your program's calls will fail alike.", fix };
}
