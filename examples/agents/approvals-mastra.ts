// Approvals in Mastra. Run it with: node examples/agents/approvals-mastra.ts
// #region mastra
// npm install svc-sdk @mastra/core, save this as approvals.mts, then: node approvals.mts
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { Svc } from "svc-sdk";
import { memoryExecutions, type PendingApproval, toolset } from "svc-sdk/agents";
import { mastra } from "svc-sdk/agents/mastra";
import { approvals, ask, describeApproval, policy } from "svc-sdk/agents/policy";

const gate = approvals({ keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }] });
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  policy: policy([ask({ tools: ["GITHUB_CREATE_AN_ISSUE"] })]),
  approvals: gate,
  executions: memoryExecutions(),
});
const reporter = new Agent({
  id: "reporter",
  name: "Reporter",
  instructions: "Report problems as issues.",
  model: "openai/gpt-5",
  tools: mastra(tools, { suspendForApproval: true }),
});
const agent = new Mastra({ agents: { reporter }, storage: new InMemoryStore(), logger: false }).getAgent("reporter");
const {
  finishReason,
  runId = "",
  suspendPayload,
  text,
} = await agent.generate("Open an issue in octo-org/hello-world: the build is broken.");
if (finishReason !== "suspended") throw new Error(text);

// Later, in this process or another one with the same stores.
const pending: PendingApproval = suspendPayload.suspendPayload;
console.log(describeApproval(pending));
const token = await gate.approve(pending, { approver: "ada@example.com" });
const resumed = await agent.resumeGenerate({ approvals: [token] }, { runId, toolCallId: suspendPayload.toolCallId });
console.log(resumed.text);
// #endregion
