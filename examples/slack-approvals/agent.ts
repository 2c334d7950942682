// An agent whose calls a person approves in Slack. server.ts starts it, and goes on after a click.
import { Redis } from "ioredis";
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { type TurnTicket, toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";
import { approvals, ask, policy } from "svc-sdk/agents/policy";
import { redisApprovals, redisExecutions } from "svc-sdk/stores";
import { askInSlack } from "./slack.ts";

type Input = OpenAI.Responses.ResponseInputItem;
const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
// #region gate
export const gate = approvals({
  keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }],
  store: redisApprovals({ client: redis }),
  onRequest: askInSlack,
});
// #endregion
const rules = policy([ask({ tools: ["GITHUB_CREATE_AN_ISSUE"] })]);
const executions = redisExecutions({ client: redis });
const svc = new Svc();
const client = new OpenAI();

/** The agent of a conversation. */
export async function agentOf(userId: string, conversationId: string) {
  const options = { userId, conversationId, tools: ["GITHUB_CREATE_AN_ISSUE"] };
  const tools = await toolset(svc, { ...options, policy: rules, approvals: gate, executions });
  const { definitions, run, resume } = openai(tools);
  const key = `ticket:${conversationId}`;

  const askModel = (input: Input[]) => client.responses.create({ model: "gpt-5", input, tools: definitions });

  /** Goes on until the model is done, or a person has to decide. */
  const goOn = async (input: Input[], asked = askModel(input)): Promise<string> => {
    let response = await asked;
    for (let turns = 0; turns < 10; turns += 1) {
      const turn = await run(response);
      if (turn.pendingApprovals.length > 0) {
        await redis.set(key, JSON.stringify(await turn.suspend(input))); // In your database.
        return (await continueLater()) ?? "It waits for a decision in Slack."; // Someone may have been faster.
      }
      if (!turn.hasCalls) return response.output_text;
      input.push(...turn.items);
      response = await askModel(input);
    }
    throw new Error("The model still calls tools after ten turns.");
  };

  /** Goes on with the turn that waits, once all of its calls are decided. */
  const continueLater = async (): Promise<string | undefined> => {
    const ticket: TurnTicket<Input> | null = JSON.parse((await redis.get(key)) ?? "null");
    if (!ticket) return undefined;
    const turn = await resume(ticket); // The decisions are in the store.
    if (turn.pendingApprovals.length > 0 || (await redis.del(key)) === 0) return undefined;
    const input = [...turn.conversation, ...turn.items];
    const asked = askModel(input);
    await asked.catch(async (error: unknown) => {
      await redis.set(key, JSON.stringify(ticket)); // The next click goes on.
      throw error;
    });
    return goOn(input, asked);
  };
  return { goOn, continueLater };
}
