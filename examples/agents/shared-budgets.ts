// Budgets that processes share. Run it with: node examples/agents/shared-budgets.ts
// #region budgets
import { readFile } from "node:fs/promises";
import { Redis } from "ioredis";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { policyFromJson } from "svc-sdk/agents/policy";
import { redisBudgets, redisExecutions } from "svc-sdk/stores";

const client = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
const content = JSON.parse(await readFile(new URL("policy.json", import.meta.url), "utf8"));
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["TEXTKIT_COUNT_WORDS"],
  policy: policyFromJson(content, { allowUnknownNames: true, budgets: redisBudgets({ client }) }),
  executions: redisExecutions({ client }),
});
// #endregion

const results = await tools.run(
  ["one", "two", "three"].map((text) => ({
    callId: crypto.randomUUID(),
    name: "TEXTKIT_COUNT_WORDS",
    arguments: { text },
  })),
);
console.log(results.filter(({ status }) => status === "succeeded").length, "of", results.length, "ran");
client.disconnect();
