// Runs each job once, even if the process is killed. Run it with: node examples/record-starts.ts
// biome-ignore-all assist/source/organizeImports: the imports that the region doesn't need are on top.
import { createEmulator } from "svc-sdk/emulator";
// #region record
import { type StartingCall, Svc } from "svc-sdk";

type Start = { at: number; requestId: string | undefined };
const starts = new Map<string, Start>(); // In your database, with the outcomes: they must outlive the process.
const outcomes = new Map<string, string>();
const toolSlug = "GITHUB_CREATE_AN_ISSUE";
const userId = "user-4711";

/** @param title - Contains the id of the job, so that no other issue has it. */
async function openIssueOnce(svc: Svc, title: string): Promise<string> {
  const known = outcomes.get(title);
  if (known) return known;
  const issue = { owner: "octo-org", repo: "hello-world", title };
  const start = starts.get(title);
  if (start) {
    const call = { toolSlug, arguments: issue, userId, startedAfter: new Date(start.at), requestId: start.requestId };
    // loggedWithinMs: longer than the deadlineMs below and the service's time to run and log a call together.
    const { outcome } = await svc.tools.settle(call, { loggedWithinMs: 60_000, deadlineMs: 120_000 });
    if (outcome === "succeeded" || outcome === "failed") outcomes.set(title, outcome);
    if (outcome !== "not_run") return outcome; // If it's unknown, a person must look.
  }
  // The call may wait for the rate limit first: a process that is killed in this wait has run nothing.
  const beforeSend = async ({ requestId }: StartingCall) => {
    starts.set(title, { at: Date.now(), requestId }); // With a database, await the write.
  };
  const body = { user_id: userId, version: "20251023_00", arguments: issue };
  const run = await svc.tools.execute(toolSlug, body, { beforeSend, maxRetries: 0, deadlineMs: 20_000 });
  const outcome = run.successful ? "succeeded" : "failed";
  outcomes.set(title, outcome);
  return outcome;
}
// #endregion

const svc = new Svc(createEmulator().connection);
const job = "Report of 7 March (job 4711)";
console.log(await openIssueOnce(svc, job));
console.log(await openIssueOnce(svc, job));
outcomes.clear(); // As if the process had been killed during the call.
console.log(await openIssueOnce(svc, job));
