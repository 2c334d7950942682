// Tests against the emulator, in this process. Run them with: npx vitest run --root examples/vitest-project
// #region setup
import { Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";
import { beforeEach, expect, test } from "vitest";
import { reportBug } from "./report-bug.js";

const emulator = createEmulator();
const svc = new Svc(emulator.connection);
beforeEach(() => emulator.reset());
// #endregion

// #region happy
test("a bug becomes an issue of the user's", async () => {
  expect(await reportBug(svc, "user-4711", "It broke")).toMatch(/\/issues\/1$/);
  expect(emulator.requests.map(({ operation }) => operation)).toEqual(["tools.execute"]);
});
// #endregion

// #region accounts
test("a user whose account has expired is told so", async () => {
  emulator.accounts.expire("ca_github_demo");
  const report = reportBug(svc, "user-4711", "It broke");
  await expect(report).rejects.toMatchObject({ condition: "auth_refresh_required" });
});
// #endregion

// #region faults
test("an answer that is lost leaves open whether the issue was opened", async () => {
  emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
  await expect(reportBug(svc, "user-4711", "It broke")).rejects.toMatchObject({ outcome: "unknown" });
});
// #endregion

// #region clock
test("a link that nobody opens is over after ten minutes", async () => {
  const { connected_account_id: id } = await svc.connectedAccounts.link({
    auth_config_id: "ac_github_demo",
    user_id: "ada",
  });
  emulator.clock.advance("11m");
  expect((await svc.connectedAccounts.get(id)).status).toBe("EXPIRED");
});
// #endregion
