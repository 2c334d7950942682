// Let a user connect the account that a model's call needs. Run it with: node examples/agents/missing-account.ts
// #region connect
// npm install svc-sdk, save this as connect.mts, then: node connect.mts
import { Svc } from "svc-sdk";
import { AuthRequiredError, toolset } from "svc-sdk/agents";

const tools = await toolset(new Svc(), {
  userId: "user-new",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  onAuthRequired: "throw",
});
const issue = { owner: "octo-org", repo: "hello-world", title: "From a model" };
const calls = [{ callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue }];
try {
  await tools.run(calls);
} catch (error) {
  if (!(error instanceof AuthRequiredError)) throw error;
  const link = await error.linkUrl();
  console.log(`${error.reason}: send ${error.userId} to ${link}`);
  // not_connected: send user-new to http://127.0.0.1:4747/link/lk_…
  // The emulator's page, confirmed. With the real service, your user opens the link in a browser.
  await fetch(`${link}/complete`, { method: "POST", redirect: "manual" });
}

// Once the account is connected, run the same calls again. Calls that ran already don't run twice.
const [result] = await tools.run(calls);
console.log(result?.status); // succeeded
// #endregion
