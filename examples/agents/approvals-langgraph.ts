// Approvals in LangChain and LangGraph. Run it with: node examples/agents/approvals-langgraph.ts
// #region langgraph
// npm install svc-sdk @langchain/core @langchain/langgraph @langchain/openai langchain, save this as approvals.mts, then: node approvals.mts
import { DynamicStructuredTool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { Svc } from "svc-sdk";
import { memoryExecutions, type PendingApproval, toolset } from "svc-sdk/agents";
import { langchain } from "svc-sdk/agents/langchain";
import { approvals, ask, describeApproval, policy } from "svc-sdk/agents/policy";

const gate = approvals({ keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }] });
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  policy: policy([ask({ tools: ["GITHUB_CREATE_AN_ISSUE"] })]),
  approvals: gate,
  executions: memoryExecutions(),
});
const agent = createAgent({
  model: "openai:gpt-5",
  tools: langchain(tools, { DynamicStructuredTool, interrupt }),
  checkpointer: new MemorySaver(),
});
const config = { configurable: { thread_id: "conversation-42" } };
let state = await agent.invoke({ messages: "Open an issue in octo-org/hello-world: the build is broken." }, config);
const tokens: string[] = [];
for (const { value } of state.__interrupt__ ?? []) {
  const pending = value as PendingApproval; // What the tool was interrupted with.
  console.log(describeApproval(pending));
  tokens.push(await gate.approve(pending, { approver: "ada@example.com" }));
}
state = await agent.invoke(new Command({ resume: tokens }), config);
console.log(state.messages.at(-1)?.text);
// #endregion
