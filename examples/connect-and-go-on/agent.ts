// An agent whose turns can wait until the user connects an account. ask.ts starts it; receiver.ts goes on.
// #region agent
// npm install svc-sdk openai ioredis
import { Redis } from "ioredis";
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { type TurnTicket, toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";
import { redisExecutions } from "svc-sdk/stores";

type Input = OpenAI.Responses.ResponseInputItem;
export const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
const svc = new Svc();
const client = new OpenAI();

/** An agent of one user. */
export async function agentOf(userId: string) {
  const executions = redisExecutions({ client: redis }); // All processes share it.
  const tools = await toolset(svc, { userId, tools: ["GITHUB_CREATE_AN_ISSUE"], executions });
  const { definitions, run, resume } = openai(tools);

  const ask = (input: Input[]) => client.responses.create({ model: "gpt-5", input, tools: definitions });

  /** Goes on until the model is done, or the user has to connect an account. */
  const goOn = async (input: Input[], asked = ask(input)): Promise<string> => {
    for (let response = await asked; ; response = await ask(input)) {
      const turn = await run(response);
      const [required] = turn.authRequired;
      if (required) {
        await redis.set(`waiting:${userId}`, JSON.stringify(await turn.suspend(input))); // In your database.
        return `Connect your ${required.toolkit} account: ${await required.linkUrl()}`;
      }
      if (!turn.hasCalls) return response.output_text;
      input.push(...turn.items);
    }
  };

  /** Goes on with the turn that waits. Without the account, it waits again. */
  const goOnLater = async (): Promise<string | undefined> => {
    const ticket: TurnTicket<Input> | null = JSON.parse((await redis.get(`waiting:${userId}`)) ?? "null");
    if (!ticket) return undefined;
    const turn = await resume(ticket);
    if (turn.authRequired.length > 0) return undefined;
    const input = [...turn.conversation, ...turn.items];
    const asked = ask(input);
    await asked; // If the model fails, the ticket stays, and the next event goes on.
    await redis.del(`waiting:${userId}`);
    return goOn(input, asked);
  };
  return { goOn, goOnLater };
}
// #endregion
