import {
  ApiError,
  AuthenticationError,
  ConfigError,
  type Middleware,
  RateLimitError,
  ResponseError,
  Svc,
} from "../../index.js";
import { CREDENTIAL_KINDS, CREDENTIALS } from "../../shared/credentials.js";
import { messageOf } from "../../shared/message-of.js";
import { type CheckResult, checkedResult, type Finding, SET_CLOCK, type Setup, skipped } from "./finding.js";

/** A request that was made to test a key, or the service without one. */
export interface Probe {
  /** The variable with the key; `undefined` for the request without a key. */
  readonly variable: string | undefined;
  readonly error: unknown;
  /** The status of the response; `undefined` if none arrived. */
  readonly status: number | undefined;
  readonly date: string | undefined;
  /** When the request was sent and the response arrived, on this machine's clock. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

const CARRIERS = CREDENTIAL_KINDS.map((kind) => CREDENTIALS[kind]);

/** The variables with keys that are set, and findings about how they are written. Sends nothing. */
export function readKeys({ environment }: Setup): { readonly usable: readonly string[]; readonly findings: Finding[] } {
  const set = CARRIERS.flatMap(({ variable }) => (variable && environment[variable]?.trim() ? [variable] : []));
  if (set.length === 0) {
    const finding: Finding = {
      id: "key_missing",
      problem: `No key is set: neither ${CARRIERS.flatMap(({ variable }) => variable ?? []).join(" nor ")}.`,
      why: "Every operation needs a key, and most need the project's. An emulator prints its keys when it starts.",
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
    const meant = CARRIERS.find(
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
  const sentAt = setup.now();
  // Without a key, the service's rejection shows that it is the service.
  const env = variable === undefined ? { SVC_API_KEY: "none" } : { [variable]: setup.environment[variable] };
  const svc = clientFor(url, env, setup);
  const reading = isOfProject(variable) ? svc.toolkits.list({ limit: 1 }) : svc.session.info();
  const answer = await reading.withResponse().then(
    ({ meta: { status, headers } }) => ({ error: undefined, status, date: headers.get("date") ?? undefined }),
    (error: unknown) => ({
      error,
      status: error instanceof ApiError || error instanceof ResponseError ? error.status : undefined,
      date: error instanceof ApiError ? error.headers["date"] : undefined,
    }),
  );
  return { variable, ...answer, sentAt, receivedAt: setup.now() };
}

/** Whether a probe reads what a project's key may read, and not what the others may. */
function isOfProject(variable: string | undefined): boolean {
  return variable === undefined || variable === "SVC_API_KEY";
}

/** A client for single requests: without retries, and with the timeout of the examination. */
export function clientFor(url: URL, env: object, { timeoutMs }: Setup, use: readonly Middleware[] = []): Svc {
  return new Svc({ baseUrl: url.href, allowInsecureHttp: true, env, maxRetries: 0, timeoutMs, use: [...use] });
}

export function keyFindings(probes: readonly Probe[]): Finding[] {
  return probes.flatMap(({ variable, error }): Finding[] => {
    if (variable === undefined || error === undefined) return [];
    if (error instanceof AuthenticationError) {
      const problem = `The service rejects the key in ${variable} (401).`;
      const why = "It is misspelled, revoked, expired, or belongs to a service that isn't SVC_BASE_URL.";
      return [{ id: "key_rejected", problem, why, fix: `export ${variable}=<a new key>` }];
    }
    const problem = `A call with the key in ${variable} fails: ${messageOf(error)}`;
    if (error instanceof RateLimitError) {
      const why = "All keys of an organization share one limit. Calls wait or fail until it resets.";
      const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1_000);
      return [{ id: "rate_limit_exhausted", problem, why, fix: `sleep ${seconds} && npx svc-sdk doctor` }];
    }
    const fix = `npx svc-sdk call ${isOfProject(variable) ? "toolkits.list --limit 1" : "session.info"} --verbose`;
    return [{ id: "key_call_fails", problem, why: "Your program's calls will fail alike.", fix }];
  });
}

/** From here on, a clock's error is more than a slow network. Receivers reject deliveries from five minutes on. */
const MOST_SKEW_SECONDS = 60;

/** Compares this machine's clock with the `Date` header, which has whole seconds. */
export function checkClock([probe]: readonly Probe[]): CheckResult {
  const date = Date.parse(probe?.date ?? "");
  if (probe === undefined || Number.isNaN(date)) return skipped("clock", "the response has no date");
  const { sentAt, receivedAt } = probe;
  // The service wrote its date somewhere between the two.
  const ahead = sentAt > date + 1_000 ? (sentAt - date) / 1_000 : Math.min(0, (receivedAt - date) / 1_000);
  if (Math.abs(ahead) <= MOST_SKEW_SECONDS)
    return checkedResult("clock", `within ${MOST_SKEW_SECONDS} s of the service's`);
  const finding: Finding = {
    id: "clock_skewed",
    problem: `This machine's clock is ${Math.round(Math.abs(ahead))} s ${ahead > 0 ? "ahead of" : "behind"} the service's.`,
    why: "Receivers on it reject deliveries as too old or too new, and signed URLs fail.",
    fix: SET_CLOCK,
  };
  return checkedResult("clock", "skewed", [finding]);
}
