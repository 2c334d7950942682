// Limits of what a model may do. Run it with: node examples/agents/guardrails.ts
// #region rules
// npm install svc-sdk, save this as guardrails.mts, then: node guardrails.mts
import { Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { allow, approvals, ask, budget, deny, policy } from "svc-sdk/agents/policy";

const svc = new Svc();
const guardrails = policy([
  allow({ tools: ["GITHUB_GET_*", "GITHUB_LIST_*", "GITHUB_CREATE_AN_ISSUE", "CALENDAR_LIST_*"] }),
  ask({ tools: ["GITHUB_CREATE_AN_ISSUE"], when: ({ arguments: a }) => a["owner"] !== "octo-org" }),
  deny({ tags: ["destructiveHint"] }),
  budget({ id: "a minute", maxCalls: 50, maxCallsPerTool: 10, windowMs: 60_000 }),
]);
const tools = await toolset(svc, {
  userId: "user-4711",
  toolkits: ["github", "calendar"],
  policy: guardrails,
  approvals: approvals({ keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }] }),
  executions: memoryExecutions(),
});
// #endregion

// #region calls
const issue = { owner: "octo-org", repo: "hello-world", title: "From a model" };
const results = await tools.run([
  { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue },
  { callId: "call_2", name: "GITHUB_CREATE_AN_ISSUE", arguments: { ...issue, owner: "other-org" } },
  { callId: "call_3", name: "CALENDAR_DELETE_EVENT", arguments: { event_id: "event_1" } },
]);
for (const { callId, status } of results) console.log(callId, status);
// call_1 succeeded
// call_2 pending
// call_3 not_run
// #endregion

// #region left
const [calls] = await guardrails.budgets.read({ id: "a minute", userId: "user-4711" });
console.log(`${calls?.left} of ${calls?.limit} calls are left.`); // 49 of 50 calls are left.
// #endregion

// #region explain
const { outcome, rule, trace } = guardrails.explain({
  tool: { name: "CALENDAR_DELETE_EVENT", toolkit: "calendar", tags: ["destructiveHint"] },
});
console.log(outcome, rule);
for (const { rule: name, matched, failed } of trace)
  console.log(name, matched ? "matches" : `doesn't match: ${failed}`);
// deny rules[2]
// rules[0] doesn't match: tools
// rules[1] doesn't match: tools
// rules[2] matches
// #endregion
