import { describe, expect, test } from "vitest";
import { CREATE_ISSUE, ISSUE } from "../agents/support.js";
import { hasRedis, NEEDS_REDIS, startRedis } from "../webhooks/redis-server.js";
import { emulatorWithEnvironment, start } from "./example-process.js";

const PROGRAM = ["examples/queue-worker/worker.ts"];

describe.skipIf(!hasRedis)(`the queue worker${NEEDS_REDIS}`, () => {
  test("runs no job twice, acknowledges it after its effect, and retries only what didn't run", async (context) => {
    const { emulator, environment } = await emulatorWithEnvironment(context);
    const redis = await startRedis();
    context.onTestFinished(() => redis.stop());
    const variables = { ...environment, REDIS_URL: redis.path };
    const jobOf = (id: string, title = id) =>
      JSON.stringify({ id, userId: "user-4711", name: CREATE_ISSUE, arguments: { ...ISSUE, title } });
    const enqueue = (...jobs: string[]) => redis.client.rPush("jobs", jobs);
    const left = async () => [await redis.client.lLen("jobs"), await redis.client.lLen("jobs:1")];
    const titles = () => emulator.tools.calls(CREATE_ISSUE).map((call) => call.arguments["title"]);

    // Killed between the effect and its record: the job isn't acknowledged.
    emulator.faults.next("tools.execute", { connection: "hang", when: "after" });
    await enqueue(jobOf("job-1"), jobOf("job-2"));
    const first = start(context, PROGRAM, variables);
    await expect.poll(titles, { interval: 10, timeout: 20_000 }).toEqual(["job-1"]);
    await first.kill();
    expect(await left()).toEqual([1, 1]);

    const second = start(context, PROGRAM, variables);
    await second.line(/^job-2: succeeded/);
    expect(second.lines()).toEqual(["job-1: succeeded", "job-2: succeeded"]);
    // Killed between the record and the acknowledgement, or queued twice.
    await enqueue(jobOf("job-2"));
    // Rejected at first, so it's repeated.
    emulator.faults.next("tools.execute", { status: 404 });
    await enqueue(jobOf("job-3"));
    await second.line(/^job-3: succeeded/);
    expect(second.lines().slice(2)).toEqual(["job-2: succeeded", "job-3: not_run", "job-3: succeeded"]);
    // The tool ran, and reported a failure.
    await enqueue(
      JSON.stringify({ ...JSON.parse(jobOf("job-4")), arguments: { ...ISSUE, repo: "no-such-repository" } }),
    );
    await second.line(/^job-4: failed/);
    await enqueue("not a job");
    await second.line(/^SyntaxError/);
    expect(await second.terminate()).toBe(0);
    expect(await left()).toEqual([0, 0]);
    expect(await redis.client.lRange("jobs:dead", 0, -1)).toEqual([expect.stringContaining("job-4"), "not a job"]);
    expect(titles()).toEqual(["job-1", "job-2", "job-3", ISSUE.title]);
  });
});
