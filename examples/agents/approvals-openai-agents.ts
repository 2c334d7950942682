// Approvals in the OpenAI Agents SDK. Run it with: node examples/agents/approvals-openai-agents.ts
// #region openai-agents
// npm install svc-sdk @openai/agents, save this as approvals.mts, then: node approvals.mts
import { Agent, RunState, run, setTracingDisabled, tool } from "@openai/agents";
import { Svc } from "svc-sdk";
import { memoryExecutions, type PendingApproval, toolset } from "svc-sdk/agents";
import { openaiAgents } from "svc-sdk/agents/openai-agents";
import { approvals, ask, describeApproval, policy } from "svc-sdk/agents/policy";

setTracingDisabled(true); // Traces would go to OpenAI.
const waiting: PendingApproval[] = [];
const gate = approvals({
  keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }],
  onRequest: (pending) => void waiting.push(pending),
});
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  policy: policy([ask({ tools: ["GITHUB_CREATE_AN_ISSUE"] })]),
  approvals: gate,
  executions: memoryExecutions(),
});
const tokens: string[] = [];
const agent = new Agent({ name: "Reporter", tools: openaiAgents(tools, { tool }, { approvals: tokens }) });
const paused = await run(agent, "Open an issue in octo-org/hello-world: the build is broken.");
const stored = paused.state.toString();

// Later, in this process or another one with the same store of executions.
const state = await RunState.fromString(agent, stored);
for (const item of state.getInterruptions()) {
  const pending = waiting.find(({ call }) => "callId" in item.rawItem && call.callId === item.rawItem.callId);
  if (!pending) {
    // The library pauses for broken JSON too.
    state.reject(item, { message: "The arguments aren't valid. Nothing ran." });
    continue;
  }
  console.log(describeApproval(pending));
  tokens.push(await gate.approve(pending, { approver: "ada@example.com" }));
  state.approve(item);
}
const { finalOutput } = await run(agent, state);
console.log(finalOutput);
// #endregion
