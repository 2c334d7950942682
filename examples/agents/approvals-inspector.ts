// A call that you approve in the emulator's inspector. Run it with: node examples/agents/approvals-inspector.ts
// #region inspector
// npm install svc-sdk, save this as inspector.mts, then: node inspector.mts
import { logCalls, Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { approvals, ask, askInspector, policy } from "svc-sdk/agents/policy";

const svc = new Svc({ use: [logCalls({ level: "info" })] }); // With SVC_BASE_URL from npx svc-sdk emulator.
const keys = [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }];
const gate = approvals({ keys, onRequest: askInspector(svc) });
const tools = await toolset(svc, {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  policy: policy([ask({ tools: ["GITHUB_CREATE_AN_ISSUE"] })]),
  approvals: gate,
  executions: memoryExecutions(),
});
const issue = { owner: "octo-org", repo: "hello-world", title: "The build is broken" };
const [result] = await tools.run([{ callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue }]);
console.log(result?.status); // Once you have clicked.
// #endregion
