import { counted } from "../errors/mismatch-words.js";
import { CREDENTIAL_KINDS, CREDENTIALS } from "../shared/credentials.js";
import { redactor } from "../shared/redact.js";
import { BASE_URL, declareCommand, JSON_OUTPUT, text, UsageError } from "./command.js";
import { type CheckResult, checkedResult, type Setup, skipped } from "./doctor/finding.js";
import { checkClock, keyFindings, probeKeys, readKeys } from "./doctor/keys.js";
import { checkReceiver } from "./doctor/receiver.js";
import { checkBaseUrl, checkService } from "./doctor/service.js";
import { checkSubscription } from "./doctor/subscription.js";
import { EXIT } from "./exit-codes.js";
import { type Cell, print, printJson } from "./print.js";
import { isHttpUrl } from "./read-value.js";

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
    BASE_URL,
    ["SVC_API_KEY", "project key; SVC_USER_API_KEY and SVC_ORG_API_KEY are checked too, if they are set"],
  ],
  notes: `Checks, in this order: base URL, service, keys, clock, webhook subscription, receiver. Changes nothing on the service and
prints no key. The test deliveries have the event type svc.doctor.test, which no handler of your receiver matches.`,
  progress: "Waiting for the service",
  exitCodes: { 0: "healthy", 3: "problems found" },
  run: async (options, _words, terminal) => {
    const { receiver, "secret-from": secretVariable, json } = options;
    if (receiver !== undefined && !isHttpUrl(receiver)) {
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
  ok: { text: "OK  ", color: "good" },
  failed: { text: "FAIL", color: "bad" },
  skipped: { text: "SKIP", color: "quiet" },
};

function describeResult({ check, state, detail, findings }: CheckResult): (string | Cell[])[] {
  const lines = findings.flatMap(({ id, problem, why, fix }): (string | Cell[])[] => [
    [`     ${problem} `, { text: `[${id}]`, color: "quiet" }],
    `     Why: ${why}`,
    `     Fix: ${fix}`,
  ]);
  return [[MARKS[state], ` ${check}: ${detail}`], ...lines];
}

function summary(problems: number): string {
  if (problems === 0) return "Healthy.";
  const advice = problems === 1 ? "" : " Fix the first one first: it may cause the others.";
  return `${counted(problems, "problem")} found.${advice}`;
}

/** Runs every check, in the order in which a request meets what they check. Changes nothing on the service. */
export async function examine(setup: Setup): Promise<CheckResult[]> {
  const { result, url } = checkBaseUrl(setup);
  const keys = readKeys(setup);
  const service = url ? await examineService(url, keys, setup) : unreachable(keys);
  const usable = service.every(({ check, state }) => state !== "failed" || check === "clock") ? url : undefined;
  return withoutSecrets([result, ...service, ...(await examineProject(usable, setup))], setup);
}

type DoctorKeys = ReturnType<typeof readKeys>;

async function examineService(url: URL, keys: DoctorKeys, setup: Setup): Promise<CheckResult[]> {
  const { usable, findings } = keys;
  const probes = await probeKeys(url, usable, setup);
  const service = checkService(url, probes, setup);
  if (service.state === "failed") {
    return [
      service,
      findings.length > 0 ? checkedResult("key", keyDetail(keys), findings) : skipped("key", FIX_SERVICE),
    ];
  }
  const key = checkedResult("key", keyDetail(keys), [...findings, ...keyFindings(probes)]);
  return [service, key, checkClock(probes)];
}

function unreachable(keys: DoctorKeys): CheckResult[] {
  const { findings } = keys;
  const key = findings.length > 0 ? checkedResult("key", keyDetail(keys), findings) : skipped("key", FIX_URL);
  return [skipped("service", FIX_URL), key];
}

const FIX_URL = "fix the base URL first";
const FIX_SERVICE = "fix the service first";

/** The variables with keys; without any that can be sent, what is wrong with them. */
function keyDetail({ usable, findings }: DoctorKeys): string {
  if (usable.length > 0) return usable.join(", ");
  return findings.some(({ id }) => id === "key_missing") ? "not set" : "invalid";
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
    const findings = result.findings.map((finding) => ({
      ...finding,
      problem: redact(finding.problem),
      fix: redact(finding.fix),
    }));
    return { ...result, detail: redact(result.detail), findings };
  });
}
