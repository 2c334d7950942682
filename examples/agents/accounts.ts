// Run calls through the account that was meant. Run it with: node examples/agents/accounts.ts
// #region choose
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";

const svc = new Svc();
const choice = { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] };
const issue = { owner: "octo-org", repo: "hello-world", title: "From a model" };

// The user connects a second account.
const link = { auth_config_id: "ac_github_demo", user_id: "user-4711", alias: "private" };
const { connected_account_id, redirect_url } = await svc.connectedAccounts.link(link);
await fetch(`${redirect_url}/complete`, { method: "POST", redirect: "manual" });

const tools = await toolset(svc, {
  ...choice,
  conversationId: "conversation-42",
  onAuthRequired: ({ reason, accounts, choose }) => {
    if (reason !== "account_required") return;
    // Ask the user. This program takes the older one.
    const meant = accounts.at(-1);
    if (meant) choose(meant.id);
    return "The user has chosen an account. Call it again.";
  },
});
const call = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue };
const [asked] = await tools.run([call]);
const [ran] = await tools.run([call]);
console.log(asked?.status, ran?.status);
// #endregion

// #region labels
const accounts = { github: { work: "ca_github_demo", private: connected_account_id } };
const labelled = await toolset(svc, { ...choice, accounts });
const [missing, chosen] = await labelled.run([
  { callId: "call_2", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue },
  { callId: "call_3", name: "GITHUB_CREATE_AN_ISSUE", arguments: { ...issue, account: "work" } },
]);
console.log(missing?.text);
console.log(chosen?.status);
// #endregion
