// Run calls through the account that was meant. Run it with: node examples/agents/accounts.ts
// #region choose
// npm install svc-sdk, save this as accounts.mts, then: node accounts.mts
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";

const svc = new Svc();
const userId = crypto.randomUUID(); // A new user, who connects two accounts.
for (const alias of ["work", "private"]) {
  const { redirect_url } = await svc.connectedAccounts.link({
    auth_config_id: "ac_github_demo",
    user_id: userId,
    alias,
  });
  // The emulator's page, confirmed. With the real service, your user opens redirect_url in a browser.
  await fetch(`${redirect_url}/complete`, { method: "POST", redirect: "manual" });
}

const choice = { userId, tools: ["GITHUB_CREATE_AN_ISSUE"] };
const tools = await toolset(svc, {
  ...choice,
  conversationId: "conversation-42",
  onAuthRequired: ({ reason, accounts, choose }) => {
    if (reason !== "account_required") return;
    const meant = accounts.find(({ label }) => label === "work"); // Ask your user instead.
    if (meant) choose(meant.id);
    return "The user has chosen an account. Call it again.";
  },
});
const issue = { owner: "octo-org", repo: "hello-world", title: "From a model" };
const call = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue };
const [asked] = await tools.run([call]);
console.log(asked?.status, asked?.text); // not_run The user has chosen an account. Call it again.
const [ran] = await tools.run([call]);
console.log(ran?.status); // succeeded
// #endregion

// #region labels
const { items } = await svc.connectedAccounts.list({ user_ids: [userId] });
const idOf = (alias: string) => items.find((account) => account.alias === alias)?.id ?? "";
const accounts = { github: { work: idOf("work"), private: idOf("private") } };
const labeled = await toolset(svc, { ...choice, accounts });
const [missing, chosen] = await labeled.run([
  { callId: "call_2", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue },
  { callId: "call_3", name: "GITHUB_CREATE_AN_ISSUE", arguments: { ...issue, account: "work" } },
]);
console.log(missing?.text); // … account: expected "work" or "private", received missing. …
console.log(chosen?.status); // succeeded
// #endregion
