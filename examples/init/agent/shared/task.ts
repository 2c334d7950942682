// What the form on the page does: asks a model, which executes tools for the user.
import OpenAI from "openai";
import { needsConnection, type Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";
import { allow, budget, deny, policy } from "svc-sdk/agents/policy";
import { user } from "./accounts.ts";

export const label = "What should I do on GitHub?";

const model = "gpt-5";
const instructions = "You work on GitHub for the user. Answer in a few sentences of plain text.";
const maxTurns = 10;

/** Calls that no rule allows are denied. */
const guardrails = policy([
  allow({ tags: ["readOnlyHint"] }),
  allow({ tools: ["GITHUB_CREATE_AN_ISSUE"] }),
  deny({ tags: ["destructiveHint"] }),
  budget({ maxCalls: 20, windowMs: 60_000 }),
]);

/** Returns the model's answer, or undefined if an account must be connected first. */
export async function runTask(svc: Svc, question: string): Promise<string | undefined> {
  if (!process.env["OPENAI_API_KEY"]) return "The agent needs a model: set OPENAI_API_KEY, and start the app again.";
  const client = new OpenAI(); // Reads OPENAI_API_KEY and OPENAI_BASE_URL.
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: question }];
  try {
    const tools = await toolset(svc, {
      userId: user,
      toolkits: ["github"],
      policy: guardrails,
      onAuthRequired: "throw",
    });
    const { definitions, run } = openai(tools);
    for (let turns = 0; turns < maxTurns; turns++) {
      const response = await client.responses.create({ model, instructions, input, tools: definitions });
      const turn = await run(response);
      if (turn.isIncomplete && !turn.hasCalls) return `The model didn't finish: ${turn.incompleteReason}`;
      if (!turn.hasCalls) return response.output_text || "The model returned nothing.";
      input.push(...turn.items);
    }
    return `The model didn't finish in ${maxTurns} turns.`;
  } catch (error) {
    if (needsConnection(error)) return undefined;
    throw error;
  }
}
