// Rules about what the model has read. Run it with: node examples/agents/data-flow.ts
// #region rules
// npm install svc-sdk, save this as data-flow.mts, then: node data-flow.mts
import { Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { allow, approvals, ask, label, policy } from "svc-sdk/agents/policy";

const secret = process.env["APPROVAL_SECRET"] ?? ""; // openssl rand -base64 32
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  toolkits: ["github"],
  conversationId: "conversation-1",
  isNewConversation: true, // Only for the first toolset of the conversation.
  executions: memoryExecutions(), // Several processes, or days: redisExecutions({ client }).
  requirePolicy: true,
  policy: policy([
    allow({ toolkits: ["github"] }),
    label("untrusted", { tools: ["GITHUB_GET_*", "GITHUB_LIST_*"] }),
    ask({ tools: ["GITHUB_CREATE_*"], after: ["untrusted"], reason: "The model has read text that anyone can write." }),
  ]),
  approvals: approvals({ keys: [{ id: "2026-11", secret }] }),
});
// #endregion

// #region calls
const repository = { owner: "octo-org", repo: "hello-world" };
const open = { name: "GITHUB_CREATE_AN_ISSUE", arguments: { ...repository, title: "From a model" } };
const [first] = await tools.run([{ callId: "call_1", ...open }]);
const [read] = await tools.run([{ callId: "call_2", name: "GITHUB_LIST_REPOSITORY_ISSUES", arguments: repository }]);
const [second] = await tools.run([{ callId: "call_3", ...open }]);
console.log(first?.status, read?.labels, second?.status); // succeeded [ 'untrusted' ] pending
// #endregion

// #region paste
await tools.addLabel("untrusted"); // Before the model reads what a user pasted.
// #endregion
