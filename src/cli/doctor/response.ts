import { RateLimitError } from "../../index.js";
import { type CheckResult, checked, type Finding, skipped } from "./finding.js";
import type { Probe } from "./keys.js";

/** From here on, a clock's error is more than a slow network. Receivers reject deliveries from five minutes on. */
const MOST_SKEW_SECONDS = 60;

/** Compares this machine's clock with the `Date` header, which has whole seconds. */
export function checkClock([probe]: readonly Probe[]): CheckResult {
  const date = Date.parse(probe?.response?.headers.get("date") ?? "");
  if (probe === undefined || Number.isNaN(date)) return skipped("clock", "the response has no date");
  const { sentAt, receivedAt } = probe;
  // The service wrote its date somewhere between the two.
  const ahead = sentAt > date + 1_000 ? (sentAt - date) / 1_000 : Math.min(0, (receivedAt - date) / 1_000);
  if (Math.abs(ahead) <= MOST_SKEW_SECONDS) return checked("clock", `within ${MOST_SKEW_SECONDS} s of the service's`);
  const finding: Finding = {
    id: "clock_skewed",
    problem: `This machine's clock is ${Math.round(Math.abs(ahead))} s ${ahead > 0 ? "ahead of" : "behind"} the service's.`,
    why: "Receivers on it reject deliveries as too old or too new, and signed URLs fail.",
    fix: "sudo timedatectl set-ntp true",
  };
  return checked("clock", "skewed", [finding]);
}

/** Reads how much of the organization's rate limit is left. */
export function checkRateLimit(probes: readonly Probe[]): CheckResult {
  const [probe] = probes;
  const headers = probe?.response?.headers;
  const [limit, remaining] = ["x-ratelimit", "x-ratelimit-remaining"].map((name) => headers?.get(name) ?? undefined);
  const rateLimited = probes.map(({ error }) => error).find((error) => error instanceof RateLimitError);
  const why = "All keys of an organization share one limit. Calls wait or fail until the window resets.";
  if (rateLimited) {
    const wait =
      rateLimited.retryAfterMs === undefined ? "" : ` It asks to wait ${rateLimited.retryAfterMs / 1_000} s.`;
    const problem = `The rate limit is exhausted (429).${wait}`;
    const seconds = Math.ceil((rateLimited.retryAfterMs ?? 60_000) / 1_000);
    return checked("rate limit", "exhausted", [
      { id: "rate_limit_exhausted", problem, why, fix: `sleep ${seconds} && npx svc-sdk doctor` },
    ]);
  }
  if (limit === undefined && remaining === undefined) return checked("rate limit", "none reported");
  const [most, left] = [Number(limit), Number(remaining)];
  if (!limit || !remaining || !Number.isInteger(most) || !Number.isInteger(left)) {
    const problem = "The rate limit headers can't be read: X-RateLimit and X-RateLimit-Remaining must be integers.";
    const because = "Without them the client can't throttle, and runs into 429s. A proxy may remove or join headers.";
    const fix = 'curl -sD - -o /dev/null -H "x-api-key: $SVC_API_KEY" "$SVC_BASE_URL/api/v3.1/toolkits?limit=1"';
    return checked("rate limit", "unreadable", [{ id: "rate_limit_unreadable", problem, why: because, fix }]);
  }
  if (left * 10 >= most) return checked("rate limit", `${left} of ${most} left`);
  const problem = `Only ${left} of ${most} requests are left in this window, and this check sent only a few.`;
  return checked("rate limit", `${left} of ${most} left`, [
    { id: "rate_limit_low", problem, why, fix: "sleep 60 && npx svc-sdk doctor" },
  ]);
}
