// Shows what a model would do. Run it with: node examples/agents/dry-run.ts
// #region dry-run
// npm install svc-sdk, save this as dry-run.mts, then: node dry-run.mts
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { allow, dryRun, policy } from "svc-sdk/agents/policy";

const tools = await toolset(new Svc(), {
  userId: "user-4711",
  toolkits: ["github"],
  policy: policy([allow({ tags: ["readOnlyHint"] }), dryRun({ tools: ["GITHUB_CREATE_*"] })]),
  onEvent: (event) => {
    if (event.type === "decided") console.log(event.callId, event.outcome, event.rule);
  },
});
const issue = { owner: "octo-org", repo: "hello-world", title: "From a model" };
const [result] = await tools.run([{ callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue }]);
console.log(result?.status, result?.data);
// #endregion
