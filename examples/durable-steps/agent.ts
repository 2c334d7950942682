// The steps of an agent. work.ts puts them in order, and inngest.ts and dbos.ts keep their results.
import { Redis } from "ioredis";
import OpenAI from "openai";
import { Svc } from "svc-sdk";
import { prepareToolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";
import { redisExecutions } from "svc-sdk/stores";

export type Input = OpenAI.Responses.ResponseInputItem;
const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
const client = new OpenAI();
const prepared = await prepareToolset(new Svc(), {
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  executions: redisExecutions({ client: redis }),
  settle: true, // Looks up a call that was cut off by a crash.
});
const toolsOf = async (conversationId: string) => openai(await prepared.for({ userId: "user-4711", conversationId }));

// #region steps
/** One response of the model. Its calls have their ids. */
export async function askModel(conversationId: string, input: readonly Input[]) {
  const { definitions } = await toolsOf(conversationId);
  return client.responses.create({ model: "gpt-5", input: [...input], tools: definitions });
}

/** The calls of a response, and its items for the next request. */
export async function runTools(conversationId: string, response: OpenAI.Responses.Response) {
  const { items, hasCalls } = await (await toolsOf(conversationId)).run(response);
  return { items, hasCalls };
}
// #endregion
