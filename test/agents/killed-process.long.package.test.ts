import { describe, expect, test } from "vitest";
import { toolset } from "../../src/agents/index.js";
import { Svc } from "../../src/index.js";
import { redisExecutions } from "../../src/stores/redis.js";
import { emulatorWithEnvironment, start } from "../examples/example-process.js";
import { hasRedis, NEEDS_REDIS, redisWithClients } from "../webhooks/redis-server.js";
import { CREATE_ISSUE, ISSUE, USER } from "./support.js";

describe.skipIf(!hasRedis)(`redisExecutions${NEEDS_REDIS}`, () => {
  const redis = redisWithClients();

  test("never runs a call again that a killed process had started", async (context) => {
    const { emulator, environment } = await emulatorWithEnvironment(context);
    const prefix = `test:${crypto.randomUUID()}:`;
    const call = { callId: "call_1", name: CREATE_ISSUE, arguments: ISSUE };
    // The service acts, and its response never arrives.
    emulator.faults.next("tools.execute", { connection: "hang", when: "after" });
    const variables = { ...environment, REDIS_PATH: redis.server.path, PREFIX: prefix, CALL: JSON.stringify(call) };
    const dying = start(context, ["test/agents/dying-process.ts"], variables);
    await dying.line(/started/);
    const executions = () => emulator.requests.filter(({ operation }) => operation === "tools.execute").length;
    while (executions() === 0) await new Promise((resolve) => setImmediate(resolve));
    await dying.stop();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const store = redisExecutions({ client: redis.ioredis, prefix });
    const tools = await toolset(svc, { userId: USER, tools: [CREATE_ISSUE], executions: store });
    expect(await tools.run([call])).toMatchObject([{ status: "unknown", isReplay: true }]);
    expect(executions()).toBe(1);
  });
});
