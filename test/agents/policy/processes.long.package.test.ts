import { expect, test } from "vitest";
import { emulatorWithEnvironment, start } from "../../examples/example-process.js";
import { hasRedis, NEEDS_REDIS, startRedis } from "../../webhooks/redis-server.js";
import { countingToolkit, type Effect } from "./effects.js";

test.skipIf(!hasRedis)(
  `four processes keep a policy and its budgets together while Redis restarts${NEEDS_REDIS}`,
  async (context) => {
    const calls = 800;
    const limits = { maxCalls: calls * 5, maxCallsPerTool: calls * 3, windowMs: 3_600_000 };
    const effects: Effect[] = [];
    let reached: () => void = () => undefined;
    const middle = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const toolkit = countingToolkit((effect) => {
      if (effects.push(effect) === calls) reached();
    });
    const options = { toolkits: [toolkit], rateLimit: { limit: 1e6 } };
    const { environment } = await emulatorWithEnvironment(context, options);
    const redis = await startRedis({ isPersistent: true });
    context.onTestFinished(redis.stop);
    const variables = { ...environment, REDIS_PATH: redis.path, CALLS: String(calls), LIMITS: JSON.stringify(limits) };
    const processes = ["a", "b", "c", "d"].map((NAME) =>
      start(context, ["test/agents/guarded-process.ts"], { ...variables, NAME }),
    );
    await middle;
    await redis.restart();
    await Promise.all(processes.map((one) => one.line(/^done$/)));

    const runsOf = (slug: string) => effects.filter((effect) => effect.slug === slug).length;
    expect(runsOf("ACME_DELETE_ITEM")).toBe(0);
    expect(runsOf("ACME_SEND_MAIL")).toBe(0);
    expect(Math.max(runsOf("ACME_GET_ITEM"), runsOf("ACME_LIST_ITEMS"))).toBeLessThanOrEqual(limits.maxCallsPerTool);
    expect(effects.length).toBeLessThanOrEqual(limits.maxCalls);
    // Calls whose count was written when Redis was killed may be counted twice, and run once or not at all.
    expect(effects.length).toBeGreaterThan(limits.maxCalls - calls);
    const ids = effects.map(({ slug, number, to }) => `${slug} ${number} ${to}`);
    expect(new Set(ids).size).toBe(ids.length);
  },
  600_000,
);
