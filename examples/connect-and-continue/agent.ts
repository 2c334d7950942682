// An agent whose turns can wait until the user connects an account. ask.ts starts it; receiver.ts goes on.
// #region agent
// npm install svc-sdk openai ioredis
import { Redis } from "ioredis";
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";
import { redisExecutions } from "svc-sdk/stores";

type Input = OpenAI.Responses.ResponseInputItem;
export const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
const svc = new Svc();
const client = new OpenAI();
const executions = redisExecutions({ client: redis }); // All processes share its records.

/** An agent of one user. */
export async function agentOf(userId: string) {
  const tools = await toolset(svc, { userId, tools: ["GITHUB_CREATE_AN_ISSUE"], executions });
  const { definitions, run, resume } = openai(tools);

  const ask = (input: Input[]) => client.responses.create({ model: "gpt-5", input, tools: definitions });

  /** Goes on until the model is done, or the user has to connect an account. */
  const goOn = async (input: Input[], asked = ask(input)): Promise<string> => {
    for (let response = await asked; ; response = await ask(input)) {
      const turn = await run(response);
      const [required] = turn.authRequired;
      if (required) {
        await redis.sadd(`waiting:${userId}`, JSON.stringify(await turn.suspend(input))); // In your database.
        return `Connect your ${required.toolkit} account: ${await required.linkUrl()}`;
      }
      if (!turn.hasCalls) return response.output_text;
      input.push(...turn.items);
    }
  };

  /** Goes on with the turn that waits. Without the account, it waits again. */
  const goOnLater = async (): Promise<string | undefined> => {
    const [ticket] = await redis.smembers(`waiting:${userId}`);
    if (ticket === undefined) return undefined;
    const turn = await resume<Input>(JSON.parse(ticket));
    if (turn.authRequired.length > 0) return undefined;
    const input = [...turn.conversation, ...turn.items];
    const asked = ask(input);
    await asked; // If the model fails, the ticket stays, and the next event goes on.
    const isFirst = (await redis.srem(`waiting:${userId}`, ticket)) === 1;
    return isFirst ? goOn(input, asked) : undefined; // Otherwise another event has gone on.
  };
  return { goOn, goOnLater };
}
// #endregion
