// What the form on the page does: executes a tool, which opens an issue.
import { needsConnection, type Svc } from "svc-sdk";
import { user } from "./accounts.ts";

export const label = "Title of a new issue";

/** Returns what to tell the user, or undefined if an account must be connected first. */
export async function runTask(svc: Svc, title: string): Promise<string | undefined> {
  try {
    const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
      user_id: user,
      version: "20251023_00", // Pinned, so that the tool can't change under you.
      arguments: { owner: "octo-org", repo: "hello-world", title },
    });
    return run.successful ? `Opened ${run.data["html_url"]}` : `GitHub rejected it: ${run.error}`;
  } catch (error) {
    if (needsConnection(error)) return undefined;
    throw error;
  }
}
