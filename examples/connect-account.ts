// Lets a user connect a GitHub account, and acts through it. Run it with: node examples/connect-account.ts
// #region config
import { parseConnectCallback, Svc } from "svc-sdk";

const svc = new Svc();
const signedInUser = "ada";

const authConfig = await svc.authConfigs.ensure({ toolkit: { slug: "github" } });
// #endregion

// #region link
const link = await svc.connectedAccounts.link({
  auth_config_id: authConfig.id,
  user_id: signedInUser,
  callback_url: "https://app.example/connected",
});
console.log(`Send the browser to ${link.redirect_url}`); // http://127.0.0.1:4747/link/lk_… in the emulator
// #endregion

// #region callback
/** Handles your callback_url. Node's `request.url` works here. */
async function finish(url: string): Promise<void> {
  const callback = parseConnectCallback(url);
  if (callback.kind !== "success") throw new Error(`not connected: ${callback.kind}`);
  // The URL comes from a browser, so get the account itself.
  const account = await svc.connectedAccounts.waitUntilActive(callback.connectedAccountId, { deadlineMs: 30_000 });
  if (account.user_id !== signedInUser) throw new Error("not this user's account");
  console.log(`${account.id} is ${account.status}`);
}
// #endregion

async function openIssue(): Promise<void> {
  const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
    user_id: signedInUser,
    version: "20251023_00",
    arguments: { owner: "octo-org", repo: "hello-world", title: "Connected" },
  });
  console.log(run.successful ? `Opened ${run.data["html_url"]}` : `GitHub rejected it: ${run.error}`);
}

// No browser here: this is what the user's click on the emulator's page does, and the URL that the browser visits next.
const page = await fetch(`${link.redirect_url}/complete`, { method: "POST", redirect: "manual" });
const address = page.headers.get("location") ?? "";
console.log(`The browser comes back to ${address}`);
await finish(address);
await openIssue();
