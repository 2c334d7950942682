// One set of tools for the users of a server. Run it with: node examples/agents/many-users.ts
// #region many-users
// npm install svc-sdk openai
import { Svc } from "svc-sdk";
import { prepareToolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";

// When the server starts:
const prepared = await prepareToolset(new Svc(), { toolkits: ["github", "textkit"] });

// For each request:
async function toolsOf(userId: string, conversationId: string) {
  return openai(await prepared.for({ userId, conversationId })); // { definitions, run, resume }
}
// #endregion

for (const user of ["user-4711", "user-4712"]) {
  const { definitions, run } = await toolsOf(user, "conversation-42");
  const call = { type: "function_call", call_id: "call_1", name: "TEXTKIT_COUNT_WORDS", arguments: '{"text":"a b"}' };
  const { results } = await run({ output: [call] });
  console.log(user, definitions.length > 2, results[0]?.text);
}
