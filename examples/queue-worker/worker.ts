// Runs the jobs of a queue, each once, even if the worker is killed. Runs until you stop it. In your own project:
// npm install svc-sdk ioredis
// WORKER=1 node examples/queue-worker/worker.ts
import { setTimeout } from "node:timers/promises";
import { Redis } from "ioredis";
import { Svc } from "svc-sdk";
import { prepareToolset } from "svc-sdk/agents";
import { redisExecutions } from "svc-sdk/stores";

/** A job. Its id is unique, and stays the same if the job is queued again. */
interface Job {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly attempt?: number;
}

interface Next {
  readonly list: string;
  readonly text: string;
}

const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
const prepared = await prepareToolset(new Svc(), {
  tools: ["GITHUB_CREATE_AN_ISSUE", "SLACK_SEND_MESSAGE"],
  executions: redisExecutions({ client: redis }),
  settle: true, // Looks up a call that was cut off by a crash.
});

// #region job
/** Runs a job's call, or finds its recorded result. Returns where the job goes, or nothing if the job is done. */
async function work(text: string): Promise<Next | undefined> {
  const { attempt = 1, ...job }: Job = JSON.parse(text);
  const tools = await prepared.for({ userId: job.userId, conversationId: "jobs" });
  const [result] = await tools.run([{ callId: job.id, name: job.name, arguments: job.arguments }]);
  console.log(`${job.id}: ${result?.status}`);
  if (result?.status === "succeeded") return undefined;
  // Only a call that didn't run is run again. A person looks at the dead jobs.
  if (result?.status !== "not_run" || attempt === 5) return { list: "jobs:dead", text };
  return { list: "jobs", text: JSON.stringify({ ...job, attempt: attempt + 1 }) };
}
// #endregion

let isStopped = false;
process.once("SIGTERM", () => {
  isStopped = true;
});
// #region queue
const taken = `jobs:${process.env["WORKER"] ?? "1"}`; // A worker that is started again has the same name.
while (!isStopped) {
  // First the job that the worker had when it was killed.
  const text = (await redis.lindex(taken, 0)) ?? (await redis.blmove("jobs", taken, "LEFT", "RIGHT", 1));
  if (text === null) continue;
  const next = await work(text).catch((error: unknown) => {
    console.error(error); // It isn't a job.
    return { list: "jobs:dead", text };
  });
  const acknowledgement = redis.multi().lrem(taken, 1, text);
  if (next) acknowledgement.rpush(next.list, next.text);
  await acknowledgement.exec();
  if (next?.list === "jobs") await setTimeout(1_000);
}
redis.disconnect();
// #endregion
