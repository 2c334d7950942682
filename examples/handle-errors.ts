// Tells apart what can go wrong, and what to do about each. Run it with: node examples/handle-errors.ts
// #region advise
import { ApiError, ConnectionError, NotFoundError, RateLimitError, Svc, SvcError } from "svc-sdk";

const svc = new Svc();

/** What to do next, or the error again where this program cannot know. */
function advise(error: unknown): string {
  if (!(error instanceof SvcError)) throw error; // A bug of ours, or the caller's own abort reason.
  if (error instanceof ApiError && error.condition === "no_connected_account") return "let the user connect an account";
  if (error instanceof NotFoundError) return error.suggestedFix ?? "look for a misspelt id";
  if (error instanceof RateLimitError) return `come back at ${error.retryAt?.toISOString()}`;
  if (error instanceof ApiError) return `answered ${error.status}; for support: ${error.requestId}`;
  if (error instanceof ConnectionError) return `no answer (${error.code ?? error.phase})`;
  throw error;
}
// #endregion

const version = "20251023_00";
const issue = { owner: "octo-org", repo: "hello-world", title: "It works" };
const failures = [
  () => svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id: "nobody", version, arguments: issue }),
  () => svc.tools.get("github_create_an_issue"),
  () => new Svc({ apiKey: "ak_revoked" }).tools.enum(),
  () => new Svc({ baseUrl: "http://127.0.0.1:59999", maxRetries: 0 }).tools.enum(),
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
console.log(JSON.stringify(error)); // Everything about the failure, and no key.
// #endregion
