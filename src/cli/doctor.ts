import { declareCommand, JSON_OUTPUT, UsageError } from "./command.js";
import { examine } from "./doctor/examine.js";
import type { CheckResult } from "./doctor/finding.js";
import { print, printJson } from "./print.js";

/** Examines the setup of this process and its directory. */
export const command = declareCommand({
  usage: [
    ["", "check URL, network, keys, webhooks and versions"],
    ["--receiver http://localhost:3000/webhooks", "also send two test deliveries to your receiver"],
  ],
  options: {
    receiver: {
      type: "string",
      value: "url",
      summary: "your webhook receiver: it must reject a forged delivery and accept a signed one",
    },
    "secret-from": {
      type: "string",
      value: "variable",
      default: "SVC_WEBHOOK_SECRET",
      summary: "variable with the receiver's secret",
    },
    timeout: { type: "string", value: "seconds", default: "10", summary: "limit of each connection and request" },
    json: JSON_OUTPUT,
  },
  environment: [
    ["SVC_BASE_URL", "URL of the service"],
    ["SVC_API_KEY", "project key; SVC_USER_API_KEY and SVC_ORG_API_KEY are checked too, if they are set"],
  ],
  notes: `It checks, in this order: base URL, proxy, connection, service, keys, clock, webhook subscription, receiver,
Node, TypeScript. It changes nothing on the service and prints no key.
The test deliveries have the event type svc.doctor.test, which your handlers don't match.`,
  exitCodes: { 0: "healthy", 1: "findings, or an error; see the message" },
  run: async (options) => {
    const { receiver, "secret-from": secretVariable, json } = options;
    if (receiver !== undefined && !/^https?:/.test(URL.canParse(receiver) ? receiver : "")) {
      throw new UsageError(
        "--receiver must be a URL such as http://localhost:3000/webhooks. See svc-sdk doctor --help.",
      );
    }
    const results = await examine({
      environment: process.env,
      directory: process.cwd(),
      nodeVersion: process.versions.node,
      usesProxyOption: process.execArgv.includes("--use-env-proxy"),
      receiver,
      secretVariable,
      timeoutMs: milliseconds(options.timeout),
      now: Date.now,
    });
    const findings = results.flatMap((result) => result.findings);
    if (json) printJson({ ok: findings.length === 0, checks: results });
    else print(...results.flatMap(describeResult), "", summary(findings.length));
    if (findings.length > 0) process.exitCode = FOUND;
  },
});

/** Exit code if there are findings. */
const FOUND = 1;

function milliseconds(seconds: string): number {
  const value = Number(seconds);
  if (value > 0 && value <= 3_600) return value * 1_000;
  throw new UsageError(`--timeout must be a number of seconds up to 3600, not ${seconds}. See svc-sdk doctor --help.`);
}

const MARKS: Readonly<Record<CheckResult["state"], string>> = { ok: "ok   ", found: "FOUND", skipped: "-    " };

function describeResult({ check, state, detail, findings }: CheckResult): string[] {
  const lines = findings.flatMap(({ id, problem, why, fix }) => [
    `        ${problem} [${id}]`,
    `        Why: ${why}`,
    `        Fix: ${fix}`,
  ]);
  return [`${MARKS[state]} ${check}: ${detail}`, ...lines];
}

function summary(findings: number): string {
  if (findings === 0) return "Healthy.";
  return `${findings} ${findings === 1 ? "finding" : "findings"}. Fix the first one first; later ones may follow from it.`;
}
