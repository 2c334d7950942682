// Budgets that processes share. Run it with: node examples/agents/shared-budgets.ts
// #region budgets
// npm install svc-sdk ioredis, save this as budgets.mts, then: node budgets.mts
import { Redis } from "ioredis";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { allow, budget, policy } from "svc-sdk/agents/policy";
import { redisBudgets, redisExecutions } from "svc-sdk/stores";

const client = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
const rules = [allow({ toolkits: ["textkit"] }), budget({ id: "a minute", maxCalls: 2, windowMs: 60_000 })];
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["TEXTKIT_COUNT_WORDS"],
  policy: policy(rules, { budgets: redisBudgets({ client }) }),
  executions: redisExecutions({ client }),
});
const count = (text: string) => ({ callId: crypto.randomUUID(), name: "TEXTKIT_COUNT_WORDS", arguments: { text } });
const results = await tools.run(["one", "two", "three"].map(count));
console.log(`${results.filter(({ status }) => status === "succeeded").length} of 3 calls ran`); // 2 of 3 calls ran
client.disconnect();
// #endregion
