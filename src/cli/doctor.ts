import { CREDENTIAL_KINDS, CREDENTIALS } from "../client/endpoint.js";
import { counted } from "../errors/mismatch-words.js";
import { redactor } from "../shared/redact.js";
import { declareCommand, JSON_OUTPUT, text, UsageError } from "./command.js";
import { type CheckResult, checked, type Setup, skipped } from "./doctor/finding.js";
import { checkClock, keyFindings, probeKeys, readKeys } from "./doctor/keys.js";
import { checkBaseUrl, checkService } from "./doctor/service.js";
import { checkReceiver, checkSubscription } from "./doctor/webhooks.js";
import { EXIT } from "./exit-codes.js";
import { type Cell, print, printJson } from "./print.js";

export const command = declareCommand({
  usage: [
    ["", "check URL, service, keys and webhooks"],
    ["--receiver http://localhost:3000/webhooks", "also send two test deliveries to your receiver"],
  ],
  options: {
    receiver: text("url", "your webhook receiver: it must reject a forged delivery and accept a signed one"),
    "secret-from": { ...text("variable", "variable with the receiver's secret"), default: "SVC_WEBHOOK_SECRET" },
    timeout: { ...text("seconds", "limit of each connection and request"), default: "10" },
    json: JSON_OUTPUT,
  },
  environment: [
    ["SVC_BASE_URL", "URL of the service"],
    ["SVC_API_KEY", "project key; SVC_USER_API_KEY and SVC_ORG_API_KEY are checked too, if they are set"],
  ],
  notes: `Checks, in this order: base URL, service, keys, clock, webhook subscription, receiver. Changes nothing on the service and
prints no key. The test deliveries have the event type svc.doctor.test, which no handler of your receiver matches.`,
  progress: "Waiting for the service",
  exitCodes: { 0: "healthy", 3: "findings" },
  run: async (options, _words, terminal) => {
    const { receiver, "secret-from": secretVariable, json } = options;
    if (receiver !== undefined && !/^https?:/.test(URL.canParse(receiver) ? receiver : "")) {
      throw new UsageError("--receiver must be a URL such as http://localhost:3000/webhooks.");
    }
    const results = await examine({
      environment: terminal.env,
      execArgv: terminal.execArgv,
      receiver,
      secretVariable,
      timeoutMs: milliseconds(options.timeout),
      now: Date.now,
    });
    const findings = results.flatMap((result) => result.findings);
    if (json) printJson(terminal, { ok: findings.length === 0, checks: results });
    else print(terminal, [...results.flatMap(describeResult), "", summary(findings.length)]);
    return findings.length > 0 ? EXIT.found : EXIT.done;
  },
});

function milliseconds(seconds: string): number {
  // Timers take whole milliseconds.
  const value = Math.round(Number(seconds) * 1_000);
  if (value >= 1 && value <= 3_600_000) return value;
  throw new UsageError(`--timeout must be a number of seconds from 0.001 to 3600, not ${seconds}.`);
}

const MARKS: Readonly<Record<CheckResult["state"], Cell>> = {
  ok: { text: "ok   ", color: "good" },
  found: { text: "FOUND", color: "bad" },
  skipped: { text: "-    ", color: "quiet" },
};

function describeResult({ check, state, detail, findings }: CheckResult): (string | Cell[])[] {
  const lines = findings.flatMap(({ id, problem, why, fix }) => [
    `        ${problem} [${id}]`,
    `        Why: ${why}`,
    `        Fix: ${fix}`,
  ]);
  return [[MARKS[state], ` ${check}: ${detail}`], ...lines];
}

function summary(findings: number): string {
  if (findings === 0) return "Healthy.";
  return `${counted(findings, "finding")}. Fix the first one first; later ones may follow from it.`;
}

/** Runs every check, in the order in which a request meets what they check. Changes nothing on the service. */
export async function examine(setup: Setup): Promise<CheckResult[]> {
  const { result, url } = checkBaseUrl(setup);
  const keys = readKeys(setup);
  const service = url ? await examineService(url, keys, setup) : unreachable(result, keys);
  const usable = service.every(({ check, state }) => state !== "found" || check === "clock") ? url : undefined;
  return withoutSecrets([result, ...service, ...(await examineProject(usable, setup))], setup);
}

type DoctorKeys = ReturnType<typeof readKeys>;

async function examineService(url: URL, { usable, findings }: DoctorKeys, setup: Setup): Promise<CheckResult[]> {
  const probes = await probeKeys(url, usable, setup);
  const service = checkService(url, probes, setup);
  const names = [...usable, ...findings.map(({ id }) => id)].join(", ");
  if (service.state === "found") {
    const reason = "another problem must be solved before";
    return [service, findings.length > 0 ? checked("key", names, findings) : skipped("key", reason)];
  }
  const key = checked("key", usable.join(", ") || "none", [...findings, ...keyFindings(probes)]);
  return [service, key, checkClock(probes)];
}

function unreachable(baseUrl: CheckResult, { usable, findings }: DoctorKeys): CheckResult[] {
  const isMissing = baseUrl.findings.some(({ id }) => id === "base_url_missing");
  const reason = isMissing ? "needs a base URL" : "the service can't be reached";
  const hasNoKey = findings.some(({ id }) => id === "key_missing");
  const key =
    findings.length > 0
      ? checked("key", hasNoKey ? "not set" : "written wrong", findings)
      : skipped("key", `${reason}: ${usable.join(", ")}`);
  return [skipped("service", reason), key];
}

/** @param url - The service; `undefined` if it, or the key for it, doesn't work. */
async function examineProject(url: URL | undefined, setup: Setup): Promise<CheckResult[]> {
  const reason = "needs the service and a working project key";
  const withKey = setup.environment["SVC_API_KEY"]?.trim() ? url : undefined;
  return await Promise.all([
    withKey ? checkSubscription(withKey, setup) : skipped("webhook subscription", reason),
    checkReceiver(setup),
  ]);
}

/** Messages come from servers too, and one may quote a key. */
function withoutSecrets(results: readonly CheckResult[], { environment, secretVariable }: Setup): CheckResult[] {
  const variables = [...CREDENTIAL_KINDS.map((kind) => CREDENTIALS[kind].variable ?? ""), secretVariable];
  // A key with other characters can't be sent.
  const redact = redactor(variables.flatMap((name) => /^[ -~]{4,}$/.exec(environment[name]?.trim() ?? "") ?? []));
  return results.map((result) => {
    const findings = result.findings.map((one) => ({ ...one, problem: redact(one.problem), fix: redact(one.fix) }));
    return { ...result, detail: redact(result.detail), findings };
  });
}
