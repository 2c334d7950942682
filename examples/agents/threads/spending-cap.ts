// A cap on the money that calls cost, at which a person is asked: https://github.com/gridctl/gridctl/issues/926
// Run it with: node examples/agents/threads/spending-cap.ts
import { Svc } from "svc-sdk";
import { memoryExecutions, tool, toolset } from "svc-sdk/agents";
import { allow, approvals, budget, describeApproval, policy } from "svc-sdk/agents/policy";

const named = (name: string) =>
  tool({ name, description: name, parameters: { type: "object", properties: {} }, execute: () => `${name} ran` });
const gate = approvals({ keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }] });
const guardrails = policy([
  allow({}),
  budget({ id: "cents", maxCost: 500, costs: { render_video: 300, "*": 1 }, windowMs: 86_400_000, atLimit: "ask" }),
]); // Several processes: policy(rules, { budgets: redisBudgets({ client }) }).
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: [named("render_video"), named("search")],
  policy: guardrails,
  approvals: gate,
  executions: memoryExecutions(),
});
const call = (callId: string) => ({ callId, name: "render_video", arguments: {} });
const [first, second] = await tools.run([call("call_1"), call("call_2")]);
console.log(first?.status, second?.status);

if (!second?.pendingApproval) throw new Error("No approval is pending.");
console.log(describeApproval(second.pendingApproval).split("\n").at(-1));
const token = await gate.approve(second.pendingApproval, { approver: "ada@example.com" });
const [third] = await tools.run([call("call_2")], { approvals: [token] });
const [cents] = await guardrails.budgets.read({ id: "cents", userId: "user-4711" });
console.log(third?.status, `${cents?.used} of ${cents?.limit} cents`);
