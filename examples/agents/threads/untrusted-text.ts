// Labels of untrusted and confidential results decide what may follow:
// https://github.com/microsoft/agent-framework/pull/5024. Run it with: node examples/agents/threads/untrusted-text.ts
import { Svc } from "svc-sdk";
import { memoryExecutions, tool, toolset } from "svc-sdk/agents";
import { allow, approvals, ask, deny, label, policy } from "svc-sdk/agents/policy";

const named = (name: string, description: string) =>
  tool({ name, description, parameters: { type: "object", properties: {} }, execute: () => `${name} ran` });
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  conversationId: "conversation-1",
  isNewConversation: true,
  executions: memoryExecutions(), // Several processes: redisExecutions({ client }).
  tools: [
    named("read_mail", "Reads the newest mail."),
    named("read_salaries", "Reads the salaries."),
    named("send_mail", "Sends a mail."),
    named("publish", "Publishes a page."),
  ],
  policy: policy([
    allow({}),
    label("untrusted", { tools: ["read_mail"] }),
    label("confidential", { tools: ["read_salaries"] }),
    ask({ tools: ["send_mail"], after: ["untrusted"] }),
    deny({ tools: ["publish"], after: ["confidential"] }),
  ]),
  approvals: approvals({ keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }] }),
});
for (const name of ["send_mail", "publish", "read_mail", "send_mail", "read_salaries", "publish"]) {
  const [result] = await tools.run([{ callId: crypto.randomUUID(), name, arguments: {} }]);
  console.log(name, result?.status);
}
