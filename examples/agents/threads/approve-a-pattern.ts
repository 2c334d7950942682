// A person approves a pattern of calls, for a time and a number of uses, and each call is logged:
// https://github.com/microsoft/agent-framework/issues/4969. Run it with: node examples/agents/threads/approve-a-pattern.ts
import { Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { approvals, ask, audit, memoryApprovals, policy, verifyAudit } from "svc-sdk/agents/policy";

const keys = [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }] as const;
const gate = approvals({ keys, store: memoryApprovals() });
const lines: string[] = [];
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  policy: policy([ask({})]), // All tools.
  approvals: gate,
  executions: memoryExecutions(),
  audit: audit({ keys, to: (line) => lines.push(line) }), // fileAudit("calls.audit.jsonl") of svc-sdk/stores.
});
const run = async (callId: string, repo: string) => {
  const issue = { owner: "octo-org", repo, title: callId };
  const [result] = await tools.run([{ callId, name: "GITHUB_CREATE_AN_ISSUE", arguments: issue }]);
  return result;
};
const asked = await run("call_1", "hello-world");
await gate.standing.approve(asked?.pendingApproval?.id ?? "", {
  approver: "ada@example.com",
  maxUses: 2,
  expiresInMs: 3_600_000,
  when: { owner: { is: "octo-org" }, repo: { is: "hello-world" } },
});
for (const id of ["call_1", "call_2", "call_3"]) console.log(id, (await run(id, "hello-world"))?.status);
const verified = await verifyAudit(lines, { keys });
console.log(verified.ok && `${verified.lines} lines are as they were written`);
