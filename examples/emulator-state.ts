// Stubs a tool, and restores a snapshot. Run it with: node examples/emulator-state.ts
// #region stub
import { Svc } from "svc-sdk";
import { createEmulator, ProviderError } from "svc-sdk/emulator";

const emulator = createEmulator();
const svc = new Svc(emulator.connection);
const createIssue = (title: string) =>
  svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
    user_id: "user-4711",
    version: "20251023_00",
    arguments: { owner: "octo-org", repo: "hello-world", title },
  });

emulator.tools.stub("GITHUB_CREATE_AN_ISSUE", { number: 7 });
console.log((await createIssue("It broke")).data);
// { number: 7 }
emulator.tools.stub("GITHUB_CREATE_AN_ISSUE", new ProviderError(410, "Issues are disabled"));
console.log((await createIssue("It broke again")).error);
// Issues are disabled
emulator.tools.unstub("GITHUB_CREATE_AN_ISSUE");
console.log(emulator.tools.calls("GITHUB_CREATE_AN_ISSUE").map(({ arguments: { title } }) => title));
// [ 'It broke', 'It broke again' ]
// #endregion

// #region snapshot
const snapshot = emulator.snapshot();
await svc.connectedAccounts.delete("ca_github_demo");
emulator.restore(snapshot);
console.log((await svc.connectedAccounts.get("ca_github_demo")).status); // ACTIVE
// #endregion
