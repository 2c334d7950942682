// Approvals in the AI SDK. Run it with: node examples/agents/approvals-ai-sdk.ts
// #region ai-sdk
// npm install svc-sdk @ai-sdk/openai ai, save this as approvals.mts, then: node approvals.mts
import { openai } from "@ai-sdk/openai";
import { generateText, isStepCount, type ModelMessage, type ToolApprovalResponse } from "ai";
import { Svc } from "svc-sdk";
import { memoryExecutions, type PendingApproval, toolset } from "svc-sdk/agents";
import { aiSdk, aiSdkApproval } from "svc-sdk/agents/ai-sdk";
import { approvals, ask, describeApproval, policy } from "svc-sdk/agents/policy";

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
const request = {
  model: openai("gpt-5"),
  tools: aiSdk(tools, { approvals: tokens }),
  toolApproval: aiSdkApproval(tools),
  stopWhen: isStepCount(10),
};
const task = "Open an issue in octo-org/hello-world: the build is broken.";
const messages: ModelMessage[] = [{ role: "user", content: task }];
const { content, responseMessages } = await generateText({ ...request, messages });
messages.push(...responseMessages); // Of all steps. response.messages has only the last step.

// A person decides. The token approves the call. The response only continues the AI SDK's loop.
for (const pending of waiting) {
  console.log(describeApproval(pending));
  tokens.push(await gate.approve(pending, { approver: "ada@example.com" }));
}
const requests = content.filter((part) => part.type === "tool-approval-request");
const responses = requests.map(({ approvalId }): ToolApprovalResponse => {
  return { type: "tool-approval-response", approvalId, approved: true };
});
messages.push({ role: "tool", content: responses });
const { text } = await generateText({ ...request, messages });
console.log(text);
// #endregion
