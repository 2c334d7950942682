// A conversation in which one model hands off to a model of another provider. In your own project:
// npm install svc-sdk openai @anthropic-ai/sdk zod
// node examples/hand-off/hand-off.ts
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { memoryExecutions, tool, toolset } from "svc-sdk/agents";
import { anthropic } from "svc-sdk/agents/anthropic";
import { openai } from "svc-sdk/agents/openai";
import { allow, approvals, ask, budget, describeApproval, label, policy } from "svc-sdk/agents/policy";
import { z } from "zod";

const handOff = tool({
  name: "hand_off",
  description: "Hands the task to the colleague who writes issues. Tell what you found.",
  parameters: z.object({ findings: z.string() }),
  execute: ({ findings }) => findings,
});
const gate = approvals({
  keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }],
  onRequest: (pending) => {
    console.log(describeApproval(pending).split("\n")[0]);
    return { approved: true, approver: "ada@example.com" }; // Ask a person here.
  },
});
// #region tools
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  conversationId: "conversation-42", // The same for both models.
  isNewConversation: true,
  executions: memoryExecutions(), // In several processes: redisExecutions({ client }), and the budgets of the policy, too.
  tools: ["GITHUB_LIST_REPOSITORY_ISSUES", "GITHUB_CREATE_AN_ISSUE", handOff],
  approvals: gate,
  policy: policy([
    allow({ tools: ["GITHUB_*", "hand_off"] }),
    label("untrusted", { tools: ["GITHUB_LIST_*"] }),
    ask({ tools: ["GITHUB_CREATE_*"], after: ["untrusted"], reason: "A model has read text that anyone can write." }),
    budget({ toolkits: ["github"], maxCalls: 2, per: "conversation" }),
  ]),
});
// #endregion

/** The first model works until it hands off, and the function returns what it found. */
async function research(task: string): Promise<string> {
  const { definitions, run } = openai(tools);
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: task }];
  for (;;) {
    const response = await new OpenAI().responses.create({ model: "gpt-5", input, tools: definitions });
    const turn = await run(response);
    const handed = turn.results.find((result) => result.tool?.name === "hand_off" && result.status === "succeeded");
    if (handed || !turn.hasCalls) return handed?.text ?? response.output_text;
    input.push(...turn.items);
  }
}

/** The second model goes on with the same tools. */
async function write(task: string, findings: string): Promise<string> {
  const { definitions, run } = anthropic(tools);
  const content = `${task}\n\nA colleague found this: ${findings}`;
  const messages: Anthropic.MessageParam[] = [{ role: "user", content }];
  for (;;) {
    const request = { model: "claude-opus-5-5", max_tokens: 4_096, messages, tools: definitions };
    const message = await new Anthropic().messages.create(request);
    const turn = await run(message);
    if (!turn.hasCalls) return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    messages.push(...turn.messages);
  }
}

// #region task
const task = "Find out what is broken in octo-org/hello-world, and open an issue about it.";
console.log(await write(task, await research(task)));
// #endregion
