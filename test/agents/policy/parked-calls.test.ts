import { expect, test } from "vitest";
import { allow, budget, customPolicy, type Policy, policy } from "../../../src/agents/policy.js";
import { bench, CREATE_ISSUE, ISSUE } from "../support.js";

const call = (callId: string) => ({ callId, name: CREATE_ISSUE, arguments: ISSUE });
let counted = 0;
const POLICIES: [string, () => Policy][] = [
  ["a budget", () => policy([allow({}), budget({ maxCalls: 1 })])],
  [
    "a policy that counts",
    () =>
      customPolicy({
        digest: "1",
        decide: () => ({ outcome: "allow" }),
        count: async () => {
          counted += 1;
          return counted > 1 ? { outcome: "deny", reason: "The budget is used up." } : { outcome: "allow" };
        },
      }),
  ],
];

test.each(POLICIES)("a call that waits for an account isn't counted by %s, and goes on", async (_, made) => {
  counted = 0;
  const { tools, svc, emulator, executions } = await bench({ userId: "user-new", policy: made() });
  for (const callId of ["1", "1", "2"]) {
    const [waiting] = await tools.run([call(callId)]);
    expect(waiting).toMatchObject({ status: "not_run", authRequired: { reason: "not_connected", toolkit: "github" } });
  }
  expect(executions()).toBe(0);
  const { items } = await svc.authConfigs.list({ toolkit_slug: "github" });
  const account = { auth_config_id: items[0]?.id ?? "", user_id: "user-new" };
  const { connected_account_id: id } = await svc.connectedAccounts.link(account);
  emulator.accounts.activate(id);
  expect(await tools.run([call("1")])).toMatchObject([{ status: "succeeded" }]);
  expect(await tools.run([call("2")])).toMatchObject([{ status: "not_run", authRequired: undefined }]);
});

test("a call whose account has expired isn't counted by a budget, and tells why", async () => {
  const { tools, emulator } = await bench({ policy: policy([allow({}), budget({ maxCalls: 1 })]) });
  emulator.accounts.expire("ca_github_demo");
  const [waiting] = await tools.run([call("1")]);
  expect(waiting).toMatchObject({ status: "not_run", authRequired: { reason: "expired" } });
  emulator.accounts.activate("ca_github_demo");
  expect(await tools.run([call("1")])).toMatchObject([{ status: "succeeded" }]);
});
