import { describe, expect, test } from "vitest";
import { type ExecutionStore, toolset } from "../../../src/agents/index.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { ConfigError, Svc } from "../../../src/index.js";
import { redisExecutions } from "../../../src/stores/redis.js";
import { rejection } from "../../support/client.js";
import { hasRedis, NEEDS_REDIS, redisWithClients } from "../../webhooks/redis-server.js";
import { CREATE_ISSUE, ISSUE, USER } from "../support.js";

describe.skipIf(!hasRedis)(`redisExecutions${NEEDS_REDIS}`, () => {
  const redis = redisWithClients();

  const stores = (): [ExecutionStore, ExecutionStore] => {
    const prefix = `test:${crypto.randomUUID()}:`;
    return [
      redisExecutions({ client: redis.server.client, prefix }),
      redisExecutions({ client: redis.ioredis, prefix }),
    ];
  };

  test("lets one of many processes run a call", async () => {
    const emulator = createEmulator();
    const toolsets = await Promise.all(
      stores().flatMap((executions) =>
        Array.from({ length: 10 }, () => {
          const svc = new Svc({ ...emulator.connection, env: {} });
          return toolset(svc, { userId: USER, tools: [CREATE_ISSUE], executions });
        }),
      ),
    );
    const call = { callId: "call_1", name: CREATE_ISSUE, arguments: ISSUE };
    const results = await Promise.all(toolsets.map((tools) => tools.run([call])));
    expect(results.flat().filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
  });

  test("reports an unknown outcome for a call whose process died", async () => {
    const emulator = createEmulator();
    const [executions, other] = stores();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const options = { userId: USER, tools: [CREATE_ISSUE] };
    const dying = await toolset(svc, { ...options, executions });
    const controller = new AbortController();
    const call = { callId: "call_1", name: CREATE_ISSUE, arguments: ISSUE };
    emulator.faults.next("tools.execute", { connection: "hang" });
    const started = dying.run([call], { signal: controller.signal });
    while (emulator.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await rejection(started);
    const next = await toolset(svc, { ...options, executions: other });
    expect(await next.run([call])).toMatchObject([{ status: "unknown", isReplay: true }]);
  });
});

test("redisExecutions rejects an object that isn't a client", () => {
  // @ts-expect-error: not a client.
  expect(() => redisExecutions({ client: {} })).toThrow(ConfigError);
});
