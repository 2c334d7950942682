// Notices that an account has expired, and lets its user connect again. Run it with: node examples/reconnect-account.ts
// #region execute
import { needsConnection, Svc, type ToolResult } from "svc-sdk";

const svc = new Svc();
const auth_config_id = "ac_github_demo"; // The id that authConfigs.ensure() returned.

/** Returns the tool's result, or the URL that the user must visit first. */
async function starHelloWorld(user_id: string): Promise<ToolResult | string> {
  try {
    return await svc.tools.execute("GITHUB_STAR_A_REPOSITORY", {
      user_id,
      version: "20251023_00",
      arguments: { owner: "octo-org", repo: "hello-world" },
    });
  } catch (error) {
    if (!needsConnection(error)) throw error;
    const { redirect_url } = await svc.connectedAccounts.link({ auth_config_id, user_id });
    return redirect_url;
  }
}
// #endregion

const first = await starHelloWorld("user-expired");
console.log(`Ask the user to open ${first}`);
await fetch(`${first}/complete`, { method: "POST", redirect: "manual" }); // What the user's click on the page does.
const second = await starHelloWorld("user-expired");
console.log(typeof second === "string" ? "still not connected" : `starred: ${second.successful}`);
