// Change the arguments and results of a model's calls. Run it with: node examples/agents/use.ts
// #region use
// npm install svc-sdk, save this as use.mts, then: node use.mts
import { Svc } from "svc-sdk";
import { type ToolMiddleware, toolset } from "svc-sdk/agents";

/** Trims the text, and keeps only the number of words. Doesn't send more than 10,000 characters. */
const short: ToolMiddleware = async (call, next) => {
  const text = String(call.arguments["text"]).trim();
  if (text.length > 10_000) return { status: "not_run", text: "Pass at most 10,000 characters." };
  call.arguments = { ...call.arguments, text };
  const result = await next();
  return { ...result, data: { words: Object(result.data).words } };
};
const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["TEXTKIT_COUNT_WORDS"], use: [short] });
const [counted] = await tools.run([{ callId: "call_1", name: "TEXTKIT_COUNT_WORDS", arguments: { text: " a b " } }]);
console.log(counted?.text); // {"words":2}
// #endregion
