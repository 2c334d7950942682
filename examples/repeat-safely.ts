// Finds out whether an execution ran whose response was lost. Run it with: node examples/repeat-safely.ts
// biome-ignore-all assist/source/organizeImports: the imports that the region doesn't need are on top.
import { createEmulator } from "svc-sdk/emulator";
// #region repeat
import { mayHaveRun, Svc } from "svc-sdk";

/**
 * @param title - Contains the id of the job, so that no other issue has it.
 * @returns Whether the issue was opened.
 */
async function openIssueOnce(svc: Svc, title: string): Promise<boolean> {
  const where = { owner: "octo-org", repo: "hello-world" };
  const body = { user_id: "user-4711", version: "20251023_00", arguments: { ...where, title } };
  try {
    const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", body);
    if (!run.successful) console.error(`GitHub rejected it: ${run.error}`); // The call doesn't throw.
    return run.successful;
  } catch (error) {
    if (!mayHaveRun(error)) throw error; // Nothing ran: the job can be repeated.
    const { outcome } = await svc.tools.settle(error, { exclusive: true }); // No other call has this title.
    if (outcome === "unknown") throw error; // Don't repeat the job: it may have run.
    return outcome === "succeeded"; // Only the response was lost.
  }
}
// #endregion

const emulator = createEmulator(); // In this process, so that it can be made to lose a response.
emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
const isOpened = await openIssueOnce(new Svc(emulator.connection), "Report of 7 March (job 4711)");
console.log(isOpened ? "Opened." : "Not opened.");
console.log(emulator.requests.map(({ operation, status }) => `${operation} ${status ?? "broken"}`).join(", "));
