// Repeats an execution only when it did not run before. Run it with: node examples/repeat-safely.ts
// biome-ignore-all assist/source/organizeImports: what the region does not need stands before it.
import { createEmulator } from "svc-sdk/emulator";
// #region repeat
import { Svc, SvcError } from "svc-sdk";

const user = { user_id: "user-4711", version: "20251023_00" };
const repository = { owner: "octo-org", repo: "hello-world" };

async function openIssueOnce(svc: Svc, title: string): Promise<void> {
  try {
    await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { ...user, arguments: { ...repository, title } });
  } catch (error) {
    const mayHaveRun = error instanceof SvcError && "outcome" in error && error.outcome === "unknown";
    if (mayHaveRun && (await isThere(svc, title))) return; // It ran, and only its answer was lost.
    throw error; // It did not run ("not_sent", "rejected", or not there): calling again is safe.
  }
}

async function isThere(svc: Svc, title: string): Promise<boolean> {
  const run = await svc.tools.execute("GITHUB_LIST_REPOSITORY_ISSUES", { ...user, arguments: repository });
  return JSON.stringify(run.data).includes(title);
}
// #endregion

const emulator = createEmulator(); // In this process, so that it can be made to lose an answer.
emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
await openIssueOnce(new Svc(emulator.connection), "Report of 7 March");
console.log(emulator.requests.map(({ operation, status }) => `${operation} ${status ?? "broken"}`).join(", "));
