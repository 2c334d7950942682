// #region agent
import type OpenAI from "openai";
import type { Toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";

/** Lets a model work on a task until it answers. */
export async function answerTo(task: string, client: OpenAI, tools: Toolset): Promise<string> {
  const { definitions, run } = openai(tools);
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: task }];
  const ask = () => client.responses.create({ model: "gpt-5", input, tools: definitions });
  let response = await ask();
  for (let turn = await run(response); turn.hasCalls; turn = await run(response)) {
    input.push(...turn.items);
    response = await ask();
  }
  return response.output_text;
}
// #endregion
