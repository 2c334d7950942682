// Retries an execution only if it didn't run. Run it with: node examples/repeat-safely.ts
// biome-ignore-all assist/source/organizeImports: the imports that the region doesn't need are on top.
import { createEmulator } from "svc-sdk/emulator";
// #region repeat
import { mayHaveRun, Svc } from "svc-sdk";

const user = { user_id: "user-4711", version: "20251023_00" };
const repository = { owner: "octo-org", repo: "hello-world" };

/** @param title - Contains the id of the job, so that no other issue has it. */
async function openIssueOnce(svc: Svc, title: string): Promise<void> {
  try {
    await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { ...user, arguments: { ...repository, title } });
  } catch (error) {
    if (mayHaveRun(error) && (await isThere(svc, title))) return; // It ran, and only its response was lost.
    // Not there doesn't mean that it didn't run: it may still be running. The caller asks mayHaveRun(), too.
    throw error;
  }
}

async function isThere(svc: Svc, title: string): Promise<boolean> {
  const filters = { ...repository, state: "all" } as const; // Someone may have closed it since.
  const body = { ...user, arguments: filters };
  // It only reads, so the client may retry it.
  const run = await svc.tools.execute("GITHUB_LIST_REPOSITORY_ISSUES", body, { effect: "none" });
  if (!run.successful) throw new Error(`The issues can't be listed: ${run.error}`); // That isn't "not there".
  const issues = run.data["issues"] as { title: string }[];
  return issues.some((issue) => issue.title === title);
}
// #endregion

const emulator = createEmulator(); // In this process, so that it can be made to lose a response.
emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
await openIssueOnce(new Svc(emulator.connection), "Report of 7 March (job 4711)");
console.log(emulator.requests.map(({ operation, status }) => `${operation} ${status ?? "broken"}`).join(", "));
