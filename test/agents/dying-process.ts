// Starts a call and never sees its end: a test kills it. Its environment names the service, Redis and the call.
import { Redis } from "ioredis";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { redisExecutions } from "svc-sdk/stores";

const { REDIS_PATH = "", PREFIX = "", CALL = "" } = process.env;
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  executions: redisExecutions({ client: new Redis(REDIS_PATH), prefix: PREFIX }),
  onEvent: ({ type }) => console.log(type),
});
await tools.run([JSON.parse(CALL)]);
