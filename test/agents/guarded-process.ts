// Makes calls under a policy that it shares with other processes. Its environment names the service, Redis and how many
// calls.
import { Redis } from "ioredis";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { allow, ask, budget, deny, policy } from "svc-sdk/agents/policy";
import { redisBudgets, redisExecutions } from "svc-sdk/stores";

const { REDIS_PATH = "", NAME = "", CALLS = "", LIMITS = "" } = process.env;
const client = new Redis({ path: REDIS_PATH, maxRetriesPerRequest: null });
client.on("error", () => undefined);
const names = ["ACME_GET_ITEM", "ACME_LIST_ITEMS", "ACME_SEND_MAIL", "ACME_DELETE_ITEM"];
const rules = [allow({}), ask({ tools: ["ACME_SEND_MAIL"] }), deny({ tags: ["destructiveHint"] })];
const tools = await toolset(new Svc({ maxRetries: 0 }), {
  userId: "user-4711",
  tools: names,
  policy: policy([...rules, budget(JSON.parse(LIMITS))], { budgets: redisBudgets({ client }) }),
  executions: redisExecutions({ client }),
});
console.log("ready");
for (let number = 0; number < Number(CALLS); number += 1) {
  const args = { number, to: NAME };
  // Every third call has the same id in all processes.
  const owner = number % 3 === 0 ? "shared" : NAME;
  const calls = names.map((name) => {
    return { callId: `${owner} ${number} ${name}`, name, arguments: { ...args, to: owner } };
  });
  await tools.run(calls);
}
client.disconnect();
console.log("done");
