// Sends each user a message, in one night. Run it again after a crash: it goes on, and sends nothing twice. In your
// own project: npm install svc-sdk ioredis
// node examples/nightly-batch/batch.ts
import { Redis } from "ioredis";
import { Svc } from "svc-sdk";
import { prepareToolset } from "svc-sdk/agents";
import { redisExecutions } from "svc-sdk/stores";

const night = process.env["NIGHT"] ?? new Date().toISOString().slice(0, 10);
const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
const svc = new Svc();
// #region batch
const prepared = await prepareToolset(svc, {
  tools: ["SLACK_SEND_MESSAGE"],
  executions: redisExecutions({ client: redis }),
  settle: true, // Looks up the calls that were cut off by a crash.
});

const accounts = await svc.connectedAccounts.list({ toolkit_slugs: ["slack"], statuses: ["ACTIVE"] }).toArray();
const users = new Map(accounts.map((account) => [account.user_id, account.id])).entries();
const report = { succeeded: 0, earlier: 0, others: [] as string[] };

/** Takes the next user until there are no more. */
async function work(): Promise<void> {
  for (const [userId, account] of users) {
    const tools = await prepared.for({ userId, conversationId: `summary ${night}`, accounts: { slack: account } });
    // The same id and arguments in each run, so that a second run finds the result of the first.
    const message = { channel: "C0001", text: `Your summary of ${night}` };
    const [result] = await tools.run([{ callId: "summary", name: "SLACK_SEND_MESSAGE", arguments: message }]);
    if (result?.status !== "succeeded") report.others.push(`${userId} ${result?.status}: ${result?.text}`);
    else if (result.isReplay) report.earlier += 1;
    else report.succeeded += 1;
  }
}

// The client keeps within the rate limit. A crash can leave only these ten calls unknown.
await Promise.all(Array.from({ length: 10 }, work));
// #endregion
console.log(`${report.succeeded} succeeded, ${report.earlier} had succeeded before, ${report.others.length} others`);
for (const line of report.others) console.log(line);
redis.disconnect();
process.exitCode = report.others.length > 0 ? 1 : 0;
