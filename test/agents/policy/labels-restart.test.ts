import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { type ExecutionStore, tool, toolset } from "../../../src/agents/index.js";
import { allow, deny, label, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import { postgresExecutions } from "../../../src/stores/postgres.js";
import { redisExecutions } from "../../../src/stores/redis.js";
import { hasPostgres, NEEDS_POSTGRES, startPostgres } from "../../stores/postgres-server.js";
import { longTest } from "../../support/size.js";
import { hasRedis, NEEDS_REDIS, startRedis } from "../../webhooks/redis-server.js";
import { USER } from "../support.js";

/** A process of an agent: its tools over its own client of the store. */
async function agent(executions: ExecutionStore, conversationId = "conversation 1", isNewConversation = false) {
  const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
  const rules = [allow({}), label("untrusted", { tools: ["read"] }), deny({ tools: ["send"], after: ["untrusted"] })];
  const own = (name: string) =>
    tool({ name, description: "A tool.", parameters: { type: "object" }, execute: () => "done" });
  const tools = await toolset(svc, {
    ...{
      userId: USER,
      tools: [own("read"), own("send")],
      policy: policy(rules),
      conversationId,
      isNewConversation,
      executions,
    },
  });
  return async (name: string) => {
    const [result] = await tools.run([{ callId: crypto.randomUUID(), name, arguments: {} }]);
    return result?.status;
  };
}

/** Statuses of the same calls before and after the store is killed. */
async function story(open: () => ExecutionStore, restart: () => Promise<unknown>) {
  const first = await agent(open(), "conversation 1", true);
  const before = [await first("send"), await first("read")];
  const second = await agent(open());
  const other = await agent(open(), "conversation 2", true);
  const meanwhile = [await second("send"), await other("send")];
  await restart();
  const third = await agent(open());
  const after = [await third("send"), await third("read"), await (await agent(open(), "conversation 2"))("send")];
  return { before, meanwhile, after };
}

const REMEMBERED = {
  before: ["succeeded", "succeeded"],
  meanwhile: ["not_run", "succeeded"],
  after: ["not_run", "succeeded", "succeeded"],
};

test.skipIf(!hasRedis)(
  `labels survive a restart of processes and of Redis${NEEDS_REDIS}`,
  async ({ onTestFinished }) => {
    const redis = await startRedis({ isPersistent: true });
    const clients: Redis[] = [];
    onTestFinished(() => {
      for (const client of clients) client.disconnect();
      return redis.stop();
    });
    const open = () => {
      const client = new Redis({ path: redis.path, maxRetriesPerRequest: null }).on("error", () => undefined);
      clients.push(client);
      return redisExecutions({ client });
    };
    expect(await story(open, redis.restart)).toEqual(REMEMBERED);
  },
);

longTest(
  `labels survive a restart of processes and of PostgreSQL${NEEDS_POSTGRES}`,
  async ({ skip, onTestFinished }) => {
    if (!hasPostgres) skip();
    const postgres = await startPostgres();
    onTestFinished(postgres.stop);
    const open = () => postgresExecutions({ client: postgres.pool });
    expect(await story(open, postgres.restart)).toEqual(REMEMBERED);
  },
);
