// Each call runs once, in whichever process. Run it with: node examples/agents/once.ts
// #region once
// npm install svc-sdk ioredis, save this as once.mts, then: node once.mts
import { Redis } from "ioredis";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { redisExecutions } from "svc-sdk/stores";

const client = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  conversationId: "conversation-42",
  tools: ["TEXTKIT_COUNT_WORDS"],
  executions: redisExecutions({ client }),
});
const call = { callId: "call_1", name: "TEXTKIT_COUNT_WORDS", arguments: { text: "one two" } };
for (const attempt of ["first", "second"]) {
  const [result] = await tools.run([call]);
  console.log(`${attempt}: ${result?.text} ${result?.isReplay ? "again" : "now"}`);
}
// first: {"words":2,"characters":7} now
// second: {"words":2,"characters":7} again
client.disconnect();
// #endregion
