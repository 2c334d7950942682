// Keeps an emulator's state in a folder, stubs a tool, and restores a snapshot. Run it with:
// node examples/emulator-state.ts
// #region folder
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Svc } from "svc-sdk";
import { ProviderError, startEmulator } from "svc-sdk/emulator/node";

const data = await mkdtemp(join(tmpdir(), "svc-")); // any folder
const before = await startEmulator({ data });
await new Svc(before.connection).connectedAccounts.delete("ca_slack_demo");
await before.close();

const emulator = await startEmulator({ data });
const svc = new Svc(emulator.connection);
const { items } = await svc.connectedAccounts.list();
console.log(`Slack is ${items.some(({ id }) => id === "ca_slack_demo") ? "connected" : "gone"}`);
// #endregion

// #region stub
const createIssue = (title: string) =>
  svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
    user_id: "user-4711",
    version: "20251023_00",
    arguments: { owner: "octo-org", repo: "hello-world", title },
  });

emulator.tools.stub("GITHUB_CREATE_AN_ISSUE", { number: 7 });
console.log((await createIssue("It broke")).data);
emulator.tools.stub("GITHUB_CREATE_AN_ISSUE", new ProviderError(410, "Issues are disabled"));
console.log((await createIssue("It broke again")).error);
emulator.tools.unstub("GITHUB_CREATE_AN_ISSUE");
console.log(emulator.tools.calls("GITHUB_CREATE_AN_ISSUE").map(({ arguments: { title } }) => title));
// #endregion

// #region snapshot
const snapshot = emulator.snapshot();
await svc.connectedAccounts.delete("ca_github_demo");
emulator.restore(snapshot);
console.log((await svc.connectedAccounts.get("ca_github_demo")).status);
await emulator.close();
// #endregion
