// An agent whose turns can wait for a person, for hours. ask.ts starts it; page.ts asks the person, and goes on.
// #region agent
// npm install svc-sdk openai ioredis hono @hono/node-server
import { Redis } from "ioredis";
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";
import { approvals, ask, policy } from "svc-sdk/agents/policy";
import { redisExecutions } from "svc-sdk/stores";

export type Input = OpenAI.Responses.ResponseInputItem;
export const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
// The secret: openssl rand -base64 32
export const gate = approvals({ keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }] });
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  conversationId: "conversation-42",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  policy: policy([ask({ tools: ["GITHUB_CREATE_AN_ISSUE"] })]),
  approvals: gate,
  executions: redisExecutions({ client: redis }), // Both processes share it.
});
export const { definitions, run, resume } = openai(tools);
const client = new OpenAI();

/** Goes on until the model is done, or a person has to decide. */
export async function goOn(input: Input[]): Promise<string> {
  for (;;) {
    const response = await client.responses.create({ model: "gpt-5", input, tools: definitions });
    const turn = await run(response);
    if (turn.pendingApprovals.length > 0) {
      await redis.set("ticket", JSON.stringify(await turn.suspend(input))); // In your database.
      return "It waits for a decision.";
    }
    if (!turn.hasCalls) return response.output_text;
    input.push(...turn.items);
  }
}
// #endregion
