import { describe, expect, test } from "vitest";
import { demoSeed } from "../../src/emulator/index.js";
import { hasRedis, NEEDS_REDIS, startRedis } from "../webhooks/redis-server.js";
import { emulatorWithEnvironment, outputOf, start } from "./example-process.js";

const SEND = "SLACK_SEND_MESSAGE";
const USERS = 500;
const PROGRAM = ["examples/nightly-batch/batch.ts"];

describe.skipIf(!hasRedis)(`the nightly batch${NEEDS_REDIS}`, () => {
  test(`of ${USERS} users is killed, goes on, and sends each message once and within the rate limit`, async (context) => {
    const [account] = demoSeed.connectedAccounts?.filter(({ id }) => id === "ca_slack_demo") ?? [];
    const users = Array.from({ length: USERS }, (_, index) => `user-${index}`);
    const connectedAccounts = users.map((userId) => ({ ...account, userId, id: `ca_of_${userId}` }));
    const { emulator, environment } = await emulatorWithEnvironment(context, {
      seed: { ...demoSeed, connectedAccounts } as typeof demoSeed,
      rateLimit: { limit: USERS, windowSeconds: 1 },
    });
    const redis = await startRedis();
    context.onTestFinished(() => redis.stop());
    const variables = { ...environment, REDIS_URL: redis.path, NIGHT: "2026-11-29" };
    const sent = () => emulator.tools.calls(SEND);

    // In the middle, each of the ten calls has its effect, and then no response.
    const first = start(context, PROGRAM, variables);
    await expect.poll(() => sent().length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(USERS / 4);
    emulator.faults.next("tools.execute", { connection: "hang", when: "after" }, { times: 10 });
    await expect.poll(() => emulator.faults.items.length, { interval: 5, timeout: 20_000 }).toBe(0);
    await first.kill();
    const before = sent().length;
    expect(before).toBeLessThan(USERS);

    emulator.faults.next("tools.execute", { status: 404 });
    const [summary = "", ...others] = await outputOf(PROGRAM, variables).catch((error) =>
      error.stdout.trim().split("\n"),
    );
    expect(summary).toBe(`${USERS - before - 1} succeeded, ${before} had succeeded before, 1 others`);
    expect(others).toEqual([expect.stringMatching(/^user-\d+ not_run: /)]);
    // The third run only sends the message that wasn't sent.
    expect(await outputOf(PROGRAM, variables)).toEqual([`1 succeeded, ${USERS - 1} had succeeded before, 0 others`]);
    expect(
      sent()
        .map(({ userId }) => userId)
        .sort(),
    ).toEqual(users.sort());
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([]);
  });
});
