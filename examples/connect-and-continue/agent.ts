// An agent whose calls can wait until the user connects an account. ask.ts starts it; receiver.ts continues.
// #region agent
// npm install svc-sdk openai ioredis
import { Redis } from "ioredis";
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { prepareToolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";
import { redisExecutions } from "svc-sdk/stores";

type Input = OpenAI.Responses.ResponseInputItem;
export const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379"); // All processes share it.
const executions = redisExecutions({ client: redis });
const prepared = await prepareToolset(new Svc(), { tools: ["GITHUB_CREATE_AN_ISSUE"], executions });
const client = new OpenAI();

async function agentOf(userId: string, conversationId: string) {
  const { definitions, run, resume } = openai(await prepared.for({ userId, conversationId }));
  const askModel = (input: Input[]) => client.responses.create({ model: "gpt-5", input, tools: definitions });

  /** Runs the agent until the model is done, or the user has to connect an account. */
  const runAgent = async (input: Input[], first?: OpenAI.Responses.Response, turnsLeft = 10): Promise<string> => {
    const response = first ?? (await askModel(input));
    const turn = await run(response);
    const [missing] = turn.authRequired;
    if (missing) {
      await redis.sadd(`tickets:${userId}`, JSON.stringify(await turn.suspend(input))); // In your database.
      return `Connect your ${missing.toolkit} account: ${await missing.linkUrl()}`;
    }
    if (!turn.hasCalls) return response.output_text;
    if (turnsLeft === 1) throw new Error("The model still calls tools after ten turns.");
    return runAgent([...input, ...turn.items], undefined, turnsLeft - 1);
  };
  return { runAgent, resume, askModel };
}

/** Starts a conversation. */
export async function startAgent(userId: string, conversationId: string, content: string): Promise<string> {
  const { runAgent } = await agentOf(userId, conversationId);
  return runAgent([{ role: "user", content }]);
}

/** Continues each suspended turn of the user whose calls can run now. */
export async function resumeAgents(userId: string): Promise<string[]> {
  const answers: string[] = [];
  for (const ticket of await redis.smembers(`tickets:${userId}`)) {
    const suspended = JSON.parse(ticket);
    const { runAgent, resume, askModel } = await agentOf(userId, suspended.conversationId);
    const turn = await resume<Input>(suspended); // Runs the calls.
    if (turn.authRequired.length > 0) continue; // Another account is missing: the ticket stays.
    const input = [...turn.conversation, ...turn.items];
    const response = await askModel(input); // If the model fails, the ticket stays for the next event.
    const isFirst = (await redis.srem(`tickets:${userId}`, ticket)) === 1; // An event can arrive twice.
    if (isFirst) answers.push(await runAgent(input, response));
  }
  return answers;
}
// #endregion
