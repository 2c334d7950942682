// The code under test: what a user's application might do with the package.
// #region report
import type { Svc } from "svc-sdk";

/** Opens an issue and returns its URL, or the reason GitHub gave. */
export async function reportBug(svc: Svc, userId: string, title: string): Promise<string> {
  const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
    user_id: userId,
    version: "20251023_00",
    arguments: { owner: "octo-org", repo: "hello-world", title },
  });
  return run.successful ? String(run.data["html_url"]) : `GitHub rejected it: ${run.error}`;
}
// #endregion
