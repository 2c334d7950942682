// A call that waits until a person approves it. Run it with: node examples/agents/approvals.ts
// #region approve
// npm install svc-sdk, save this as approve.mts, then: node approve.mts
import { Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { approvals, ask, describeApproval, policy } from "svc-sdk/agents/policy";

const secret = process.env["APPROVAL_SECRET"] ?? ""; // openssl rand -base64 32
const gate = approvals({ keys: [{ id: "2026-11", secret }] });
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  policy: policy([ask({})]), // Every call needs an approval.
  approvals: gate,
  executions: memoryExecutions(), // Records the calls that have run.
});
const issue = { owner: "octo-org", repo: "hello-world", title: "The build is broken" };
const call = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue };
const [asked] = await tools.run([call]);
const pending = asked?.pendingApproval;
if (!pending) throw new Error(asked?.text);
console.log(asked.status); // pending
console.log(describeApproval(pending));

// Once a person has read the description and agrees:
const token = await gate.approve(pending, { approver: "ada@example.com", expiresInMs: 3_600_000 });
const [result] = await tools.run([pending.call], { approvals: [token] });
console.log(result?.status); // succeeded
const [again] = await tools.run([pending.call], { approvals: [token] });
console.log(again?.isReplay); // true: it ran once.
// #endregion

// #region deny
const [other] = await tools.run([{ ...call, callId: "call_2" }]);
if (!other?.pendingApproval) throw new Error(other?.text);
const denial = await gate.deny(other.pendingApproval, { approver: "ada@example.com", reason: "It is fixed already." });
const [denied] = await tools.run([other.pendingApproval.call], { approvals: [denial] });
console.log(denied?.status, denied?.text);
// not_run GITHUB_CREATE_AN_ISSUE was not approved, so nothing ran: It is fixed already. …
// #endregion
