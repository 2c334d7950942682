// Decide with your own code which calls run. Run it with: node examples/agents/custom-policy.ts
// #region decide
// npm install svc-sdk, save this as policy.mts, then: node policy.mts
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { customPolicy } from "svc-sdk/agents/policy";

const ownRepositories = customPolicy({
  digest: "1",
  decide: ({ tool, arguments: args }) => {
    if (tool.tags.includes("readOnlyHint") || args["owner"] === "my-company") return { outcome: "allow" };
    return { outcome: "deny", reason: "Only my-company's repositories may be changed." };
  },
});
const guarded = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  policy: ownRepositories,
  onEvent: (event) => console.log(event.type, event.callId),
});
const issue = { owner: "octo-org", repo: "hello-world", title: "From a model" };
const [denied] = await guarded.run([{ callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue }]);
console.log(denied?.text);
// decided call_1
// finished call_1
// GITHUB_CREATE_AN_ISSUE was not allowed, so nothing ran: Only my-company's repositories may be changed. …
// #endregion
