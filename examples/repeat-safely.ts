// Retries an execution only if it didn't run. Run it with: node examples/repeat-safely.ts
// biome-ignore-all assist/source/organizeImports: the imports that the region doesn't need are on top.
import { createEmulator } from "svc-sdk/emulator";
// #region repeat
import { Svc, SvcError } from "svc-sdk";

const user = { user_id: "user-4711", version: "20251023_00" };
const repository = { owner: "octo-org", repo: "hello-world" };

async function openIssueOnce(svc: Svc, title: string): Promise<void> {
  try {
    await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { ...user, arguments: { ...repository, title } });
  } catch (error) {
    // An error without an outcome, such as an abort reason, doesn't say whether the call ran.
    const outcome = error instanceof SvcError && "outcome" in error ? error.outcome : "unknown";
    if (outcome === "unknown" && (await isThere(svc, title))) return; // It ran, and only its response was lost.
    throw error; // It didn't run ("not_sent", "rejected", or no such issue), so retrying is safe.
  }
}

async function isThere(svc: Svc, title: string): Promise<boolean> {
  const run = await svc.tools.execute("GITHUB_LIST_REPOSITORY_ISSUES", { ...user, arguments: repository });
  return JSON.stringify(run.data).includes(title);
}
// #endregion

const emulator = createEmulator(); // In this process, so that it can be made to lose a response.
emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
await openIssueOnce(new Svc(emulator.connection), "Report of 7 March");
console.log(emulator.requests.map(({ operation, status }) => `${operation} ${status ?? "broken"}`).join(", "));
