import { type CheckResult, checked, type Setup, skipped } from "./finding.js";
import { checkInstallation } from "./installation.js";
import { checkClock, checkService, keyFindings, probeKeys, readKeys } from "./keys.js";
import { checkBaseUrl, checkNetwork } from "./network.js";
import { checkReceiver } from "./receiver.js";
import { checkSubscription } from "./subscription.js";

/** Runs every check, in the order in which a request meets what they check. Changes nothing on the service. */
export async function examine(setup: Setup): Promise<CheckResult[]> {
  const { result, url } = checkBaseUrl(setup);
  const network = url ? await checkNetwork(url, setup) : [];
  const isReachable = url !== undefined && network.every(({ state }) => state !== "found");
  const keys = readKeys(setup);
  const service = isReachable ? await examineService(url, keys, setup) : unreachable(keys);
  const usable = service.every(({ check, state }) => state !== "found" || check === "clock") ? url : undefined;
  const results = [
    result,
    ...network,
    ...service,
    ...(await examineProject(isReachable ? usable : undefined, setup)),
    ...checkInstallation(setup),
  ];
  return results.map((one) => withoutSecrets(one, secretsOf(setup)));
}

type Keys = ReturnType<typeof readKeys>;

async function examineService(url: URL, { usable, findings }: Keys, setup: Setup): Promise<CheckResult[]> {
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

function unreachable({ usable, findings }: Keys): CheckResult[] {
  const reason = "the service can't be reached";
  const key =
    findings.length > 0 ? checked("key", "written wrong", findings) : skipped("key", `${reason}: ${usable.join(", ")}`);
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

function secretsOf({ environment, secretVariable }: Setup): string[] {
  const values = ["SVC_API_KEY", "SVC_USER_API_KEY", "SVC_ORG_API_KEY", secretVariable].map(
    (name) => environment[name],
  );
  return values.flatMap((value) => (value && value.trim().length > 3 ? [value.trim()] : []));
}

/** Messages come from servers too, and one may quote a key. */
function withoutSecrets(result: CheckResult, secrets: readonly string[]): CheckResult {
  const clean = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, "<secret>"), text);
  const findings = result.findings.map(({ id, problem, why, fix }) => ({
    id,
    problem: clean(problem),
    why,
    fix: clean(fix),
  }));
  return { ...result, detail: clean(result.detail), findings };
}
