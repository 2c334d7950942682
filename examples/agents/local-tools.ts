// Local tools next to the service's, and calls without a model's library. Run it with:
// node examples/agents/local-tools.ts

// #region own
// npm install svc-sdk zod, save this as tools.mts, then: node tools.mts
import { Svc } from "svc-sdk";
import { tool, toolset } from "svc-sdk/agents";
import { reportTools } from "svc-sdk/agents/schema";
import { z } from "zod";

const lookUp = tool({
  name: "look_up_customer",
  description: "Finds a customer by email.",
  parameters: z.object({ email: z.email() }),
  execute: ({ email }) => ({ email, plan: "free" }),
});
const tools = await toolset(new Svc(), { userId: "user-4711", tools: [lookUp, "TEXTKIT_COUNT_WORDS"] });
// #endregion

// #region run
const results = await tools.run([
  { callId: "call_1", name: "look_up_customer", arguments: '{"email":"ada@example.com"}' },
  { callId: "call_2", name: "TEXTKIT_COUNT_WORDS", arguments: { text: "one two" } },
]);
for (const { status, text } of results) console.log(status, text);
// succeeded {"email":"ada@example.com","plan":"free"}
// succeeded {"words":2,"characters":7}
// #endregion

// #region report
for (const { tool: name, strict, fidelity, estimatedTokens } of reportTools(tools, "openai-strict")) {
  console.log(name, { strict, fidelity, estimatedTokens });
}

// TEXTKIT_COUNT_WORDS { strict: true, fidelity: 'exact', estimatedTokens: 54 }
// look_up_customer { strict: true, fidelity: 'exact', estimatedTokens: 82 }
// #endregion

// #region strict
import { openai } from "svc-sdk/agents/openai";

const { definitions } = openai(tools, { strict: ({ name }) => name === "look_up_customer" });
for (const { name, strict } of definitions) console.log(name, strict);
// TEXTKIT_COUNT_WORDS false
// look_up_customer true
// #endregion
