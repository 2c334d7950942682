// Finds out whether an execution ran whose response was lost. Run it with: node examples/repeat-safely.ts
// biome-ignore-all assist/source/organizeImports: the imports that the region doesn't need are on top.
import { createEmulator } from "svc-sdk/emulator";
// #region repeat
import { mayHaveRun, Svc } from "svc-sdk";

/** @param title - Contains the id of the job, so that no other issue has it. */
async function openIssueOnce(svc: Svc, title: string): Promise<void> {
  const where = { owner: "octo-org", repo: "hello-world" };
  const body = { user_id: "user-4711", version: "20251023_00", arguments: { ...where, title } };
  try {
    await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", body);
  } catch (error) {
    if (!mayHaveRun(error)) throw error; // The job can be repeated.
    const settled = await svc.tools.settle(error, { exclusive: true }); // No other call has this title.
    if (settled.outcome !== "succeeded") throw error; // Otherwise it ran, and only its response was lost.
  }
}
// #endregion

const emulator = createEmulator(); // In this process, so that it can be made to lose a response.
emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
await openIssueOnce(new Svc(emulator.connection), "Report of 7 March (job 4711)");
console.log(emulator.requests.map(({ operation, status }) => `${operation} ${status ?? "broken"}`).join(", "));
