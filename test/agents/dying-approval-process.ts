// Runs an approved call and stops at one point of it: a test kills it there. Its environment names the service, Redis,
// the token, and the point.
import { Redis } from "ioredis";
import { Svc } from "svc-sdk";
import { type ExecutionStore, toolset } from "svc-sdk/agents";
import { approvals, customPolicy } from "svc-sdk/agents/policy";
import { redisExecutions } from "svc-sdk/stores";

const { REDIS_PATH = "", PREFIX = "", CALL = "", TOKEN = "", STOP_AT = "", KEY = "" } = process.env;

/** Stops forever at the point to be killed at. */
async function at(point: string): Promise<void> {
  console.log(point);
  if (point === STOP_AT) await new Promise(() => {});
}

async function around<Value>(step: string, run: () => Promise<Value>): Promise<Value> {
  await at(`before ${step}`);
  const value = await run();
  await at(`after ${step}`);
  return value;
}

const store = redisExecutions({ client: new Redis(REDIS_PATH), prefix: PREFIX });
const executions: ExecutionStore = {
  find: (id) => around("find", () => store.find(id)),
  start: (id, stamp) => around("start", () => store.start(id, stamp)),
  finish: (...ended) => around("finish", () => store.finish(...ended)),
};
const svc = new Svc({
  fetch: (request) => (request.url.includes("/tools/execute/") ? around("send", () => fetch(request)) : fetch(request)),
});
const tools = await toolset(svc, {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  policy: customPolicy({ digest: "1", decide: () => ({ outcome: "ask", reason: "Issues are public." }) }),
  approvals: approvals({ keys: [{ id: "key-1", secret: KEY }] }),
  executions,
});
const [result] = await tools.run([JSON.parse(CALL)], { approvals: [TOKEN] });
console.log(`ended ${result?.status}`);
await at("the end");
