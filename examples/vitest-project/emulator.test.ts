// Tests against the emulator, in this process. In your own project: npm install --save-dev vitest (and msw for
// msw.test.ts), copy the folder, and run them with:
// npx vitest run --root examples/vitest-project
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
test("opens an issue for the user", async () => {
  expect(await reportBug(svc, "user-4711", "It broke")).toMatch(/\/issues\/1$/);
  expect(emulator.requests.map(({ operation }) => operation)).toEqual(["tools.execute"]);
});
// #endregion

// #region accounts
test("asks a user with an expired account to reconnect", async () => {
  emulator.accounts.expire("ca_github_demo");
  const report = reportBug(svc, "user-4711", "It broke");
  await expect(report).rejects.toMatchObject({ condition: "auth_refresh_required" });
});
// #endregion

// #region faults
test("reports an unknown outcome if the response is lost", async () => {
  emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
  await expect(reportBug(svc, "user-4711", "It broke")).rejects.toMatchObject({ outcome: "unknown" });
});
// #endregion

// #region publish
test("keeps a removed tool in the versions that have it", async () => {
  emulator.catalog.publish("github", "20260101_00", {
    tools: { GITHUB_GET_AN_ISSUE: { isDeprecated: true }, GITHUB_STAR_A_REPOSITORY: null },
  });
  await expect(svc.tools.get("GITHUB_STAR_A_REPOSITORY")).rejects.toMatchObject({ condition: "tool_not_found" });
  expect((await svc.tools.get("GITHUB_STAR_A_REPOSITORY", { version: "20251023_00" })).is_deprecated).toBe(false);
});
// #endregion

// #region clock
test("expires an unopened link after ten minutes", async () => {
  const { connected_account_id: id } = await svc.connectedAccounts.link({
    auth_config_id: "ac_github_demo",
    user_id: "ada",
  });
  emulator.clock.advance("11m");
  expect((await svc.connectedAccounts.get(id)).status).toBe("EXPIRED");
});
// #endregion
