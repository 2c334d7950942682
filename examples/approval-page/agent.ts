// An agent whose calls can wait for a person, for days. ask.ts starts it; page.ts asks the person, and continues.
// #region agent
// npm install svc-sdk openai ioredis hono @hono/node-server
import { Redis } from "ioredis";
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";
import { approvals, ask, policy } from "svc-sdk/agents/policy";
import { redisApprovals, redisExecutions } from "svc-sdk/stores";

type Input = OpenAI.Responses.ResponseInputItem;
export const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379"); // Both processes share it.
const key = { id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }; // openssl rand -base64 32
export const gate = approvals({ keys: [key], store: redisApprovals({ client: redis }) });
const agent = { userId: "user-4711", conversationId: "conversation-42", tools: ["GITHUB_CREATE_AN_ISSUE"] };
const guards = { policy: policy([ask({})]), approvals: gate, executions: redisExecutions({ client: redis }) };
const { definitions, run, resume } = openai(await toolset(new Svc(), { ...agent, ...guards }));
const client = new OpenAI();
const askModel = (input: Input[]) => client.responses.create({ model: "gpt-5", input, tools: definitions });

/** Runs the agent until the model is done, or a person has to decide. */
export async function runAgent(input: Input[], first?: OpenAI.Responses.Response, turnsLeft = 10): Promise<string> {
  const response = first ?? (await askModel(input));
  const turn = await run(response);
  if (turn.pendingApprovals.length > 0) {
    await redis.sadd("tickets", JSON.stringify(await turn.suspend(input))); // In your database.
    return resumeAgent(); // A person may have decided already.
  }
  if (!turn.hasCalls) return response.output_text;
  if (turnsLeft === 1) throw new Error("The model still calls tools after ten turns.");
  return runAgent([...input, ...turn.items], undefined, turnsLeft - 1);
}

/** Continues the suspended turn once all of its calls are decided. */
export async function resumeAgent(): Promise<string> {
  const [ticket] = await redis.smembers("tickets");
  if (ticket === undefined) return "No turn is suspended.";
  const turn = await resume<Input>(JSON.parse(ticket)); // Finds the decisions in the store, and runs the calls.
  if (turn.pendingApprovals.length > 0) return "A call needs approval.";
  const input = [...turn.conversation, ...turn.items];
  const response = await askModel(input); // If the model fails, the ticket stays for the next click.
  return (await redis.srem("tickets", ticket)) === 1 ? runAgent(input, response) : "Another click has continued.";
}
// #endregion
