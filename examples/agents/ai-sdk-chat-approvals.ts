// Approvals in a chat with useChat, as a route of the Next.js App Router. It gets two requests:
// node examples/agents/ai-sdk-chat-approvals.ts

// #region route
// npm install svc-sdk @ai-sdk/openai ai, save this as app/api/chat/route.ts
import { openai } from "@ai-sdk/openai";
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  isToolUIPart,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from "ai";
import { Svc } from "svc-sdk";
import { memoryExecutions, prepareToolset } from "svc-sdk/agents";
import { aiSdk, aiSdkApproval } from "svc-sdk/agents/ai-sdk";
import { approvals, ask, memoryApprovals, policy } from "svc-sdk/agents/policy";

/** Runs with the first request: a build has no keys. */
async function prepare() {
  const keys = [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }];
  const gate = approvals({ keys, store: memoryApprovals() }); // Several processes: redisApprovals({ client }).
  const prepared = await prepareToolset(new Svc(), {
    tools: ["GITHUB_CREATE_AN_ISSUE"],
    policy: policy([ask({ tools: ["GITHUB_CREATE_AN_ISSUE"] })]),
    approvals: gate,
    executions: memoryExecutions(), // Several processes: redisExecutions({ client }).
  });
  return { gate, prepared };
}
let agent: Awaited<ReturnType<typeof prepare>> | undefined;

export async function POST(request: Request): Promise<Response> {
  const { id, messages }: { id: string; messages: UIMessage[] } = await request.json();
  const userId = "user-4711"; // From your session, never from the request's body.
  agent ??= await prepare();

  // The user's clicks decide the requests of this conversation.
  const parts = messages.at(-1)?.parts.filter(isToolUIPart) ?? [];
  for await (const { pending } of agent.gate.list({ userId, conversationId: id, state: "pending" })) {
    const part = parts.find(({ toolCallId }) => toolCallId === pending.call.callId);
    if (part?.state !== "approval-responded") continue;
    await agent.gate.decide(pending.id, { approved: part.approval.approved, approver: userId });
  }

  const tools = await agent.prepared.for({ userId, conversationId: id });
  const { stream } = streamText({
    model: openai("gpt-5"),
    messages: await convertToModelMessages(messages),
    tools: aiSdk(tools),
    toolApproval: aiSdkApproval(tools),
    stopWhen: isStepCount(10),
    abortSignal: request.signal,
  });
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream, originalMessages: messages }) });
}
// #endregion

/** The chunks that useChat reads. */
async function chunksFor(messages: readonly object[]) {
  const body = JSON.stringify({ id: "chat-1", messages });
  const events = await (await POST(new Request("http://localhost/api/chat", { method: "POST", body }))).text();
  return [...events.matchAll(/^data: (\{.*\})$/gm)].map(([, json = ""]) => JSON.parse(json));
}

const text = "Open an issue in octo-org/hello-world: the build is broken.";
const user = { id: "message-1", role: "user", parts: [{ type: "text", text }] };
const paused = await chunksFor([user]);
const { describeApproval } = await import("svc-sdk/agents/policy");
for await (const { pending } of agent?.gate.list() ?? []) console.log(describeApproval(pending));

// The message that useChat sends after a click on "Approve".
const { toolCallId, toolName, input } = paused.find(({ type }) => type === "tool-input-available");
const { approvalId } = paused.find(({ type }) => type === "tool-approval-request");
const approval = { id: approvalId, approved: true };
const part = { type: `tool-${toolName}`, toolCallId, input, state: "approval-responded", approval };
const chunks = await chunksFor([user, { id: "message-2", role: "assistant", parts: [{ type: "step-start" }, part] }]);
console.log(chunks.map(({ type, delta }) => (type === "text-delta" ? delta : "")).join(""));
