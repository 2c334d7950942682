// Handles each kind of error. Run it with: node examples/handle-errors.ts
// #region advise
import { ApiError, ConnectionError, mayHaveRun, NotFoundError, RateLimitError, Svc, SvcError } from "svc-sdk";

const svc = new Svc();

/** Says what to do next. Throws the error again if this program can't know. */
function advise(error: unknown): string {
  if (!(error instanceof SvcError)) throw error; // A bug in this program, or the caller's abort reason.
  if (mayHaveRun(error)) return "check whether it ran before you repeat it";
  if (error instanceof ApiError && error.condition === "no_connected_account") return "let the user connect an account";
  if (error instanceof NotFoundError) return error.suggestedFix ?? "check the id";
  if (error instanceof RateLimitError) return `come back at ${error.retryAt?.toISOString() ?? "a later time"}`;
  if (error instanceof ApiError) return `status ${error.status}; for support: ${error.requestId}`;
  if (error instanceof ConnectionError) return `no response (${error.code ?? error.phase})`;
  throw error;
}

try {
  await svc.tools.get("github_create_an_issue");
} catch (error) {
  console.log(advise(error)); // Tool slugs are case-sensitive: did you mean GITHUB_CREATE_AN_ISSUE?
}
// #endregion

const version = "20251023_00";
const issue = { owner: "octo-org", repo: "hello-world", title: "It works" };
const failures = [
  () => svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id: "nobody", version, arguments: issue }),
  () => new Svc({ apiKey: "ak_revoked" }).tools.listSlugs(),
  () => new Svc({ baseUrl: "http://127.0.0.1:59999", maxRetries: 0 }).tools.listSlugs(),
];
for (const fail of failures) {
  try {
    await fail();
  } catch (error) {
    console.log(advise(error));
  }
}

// #region log
const error: unknown = await svc.connectedAccounts.get("ca_gone").catch((reason: unknown) => reason);
console.log(JSON.stringify(error)); // Everything about the failure, without keys:
// {"name":"NotFoundError","message":"connectedAccounts.get: 404 …","status":404,"requestId":"…",…}
// #endregion
