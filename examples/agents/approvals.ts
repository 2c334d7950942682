// A call that waits until a person approves it. Run it with: node examples/agents/approvals.ts
// #region setup
import { Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { allow, approvals, ask, describeApproval, policy } from "svc-sdk/agents/policy";

const secret = process.env["APPROVAL_SECRET"] ?? ""; // openssl rand -base64 32
const gate = approvals({ keys: [{ id: "2026-11", secret }] });
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  toolkits: ["github", "textkit"],
  policy: policy([allow({ tags: ["readOnlyHint"] }), ask({ tools: ["GITHUB_CREATE_AN_ISSUE"] })]),
  approvals: gate,
  executions: memoryExecutions(), // Several processes, or days: redisExecutions({ client }).
});
// #endregion

// #region ask
const issue = { owner: "octo-org", repo: "hello-world", title: "The build is broken" };
const call = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue };
const [asked] = await tools.run([call]);
if (!asked?.pendingApproval) throw new Error(asked?.text);
console.log(asked.status);
console.log(describeApproval(asked.pendingApproval));
const stored = JSON.stringify(asked.pendingApproval); // In your database, for as long as you like.
// #endregion

// #region approve
const pending: typeof asked.pendingApproval = JSON.parse(stored);
const token = await gate.approve(pending, { approver: "ada@example.com", expiresInMs: 3_600_000 });
const [result] = await tools.run([pending.call], { approvals: [token] });
console.log(result?.status);
const [again] = await tools.run([pending.call], { approvals: [token] });
console.log(again?.status, again?.isReplay);
// #endregion

// #region deny
const [other] = await tools.run([{ ...call, callId: "call_2" }]);
if (!other?.pendingApproval) throw new Error(other?.text);
const denial = await gate.deny(other.pendingApproval, { approver: "ada@example.com", reason: "It is fixed already." });
const [denied] = await tools.run([other.pendingApproval.call], { approvals: [denial] });
console.log(denied?.text);
// #endregion
