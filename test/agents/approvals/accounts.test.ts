import { describe, expect, test } from "vitest";
import { type ClientToolsetOptions, memoryExecutions, toolset } from "../../../src/agents/index.js";
import { CREATE_ISSUE, USER } from "../support.js";
import { asksForIssues, type Gated, gated, issueCall } from "./support.js";

const NEWEST = { accounts: "newest" } as const;

/** A toolset of another process, which knows nothing of the first one. */
const elsewhere = ({ svc, gate }: Gated, options: Partial<ClientToolsetOptions>) =>
  toolset(svc, {
    ...{ userId: USER, tools: [CREATE_ISSUE], approvals: gate, policy: asksForIssues },
    ...{ executions: memoryExecutions(), ...options },
  });

describe.each([["the only account", {}] as const, ["the newest account", NEWEST] as const])("with %s", (_, options) => {
  test("a call whose account expires before it is approved says that the user must connect again", async () => {
    const made = await gated(options);
    const pending = await made.ask();
    const { accountId } = pending;
    made.emulator.accounts.expire(accountId ?? "");
    const token = await made.gate.approve(pending, { approver: "ada" });
    const tools = await elsewhere(made, options);
    const [result] = await tools.run([pending.call], { approvals: [token] });
    expect(result).toMatchObject({
      status: "not_run",
      text: expect.stringMatching(/account has expired.*Ask the user to connect it/),
      authRequired: { reason: "expired", toolkit: "github" },
      pendingApproval: undefined,
    });
    expect(made.executions()).toBe(0);
  });

  test("a call without an account isn't asked about: no approval could let it run", async () => {
    const made = await gated({ ...options, userId: "nobody" });
    const [result] = await made.tools.run([issueCall("1")]);
    expect(result).toMatchObject({
      status: "not_run",
      authRequired: { reason: "not_connected" },
      pendingApproval: undefined,
    });
    const [inactive] = await (await gated({ ...options, userId: "user-inactive" })).tools.run([issueCall("1")]);
    expect(inactive).toMatchObject({ status: "not_run", authRequired: { reason: "inactive" } });
  });
});

test("a call isn't the service's to choose an account for if the user has two others when it is approved", async () => {
  const made = await gated();
  const pending = await made.ask();
  const { items } = await made.svc.authConfigs.list({ toolkit_slug: "github" });
  for (const alias of ["work", "private"]) {
    const body = { auth_config_id: items[0]?.id ?? "", user_id: USER, alias };
    made.emulator.accounts.activate((await made.svc.connectedAccounts.link(body)).connected_account_id);
  }
  await made.svc.connectedAccounts.delete(pending.accountId ?? "");
  const token = await made.gate.approve(pending, { approver: "ann" });
  const results = await (await elsewhere(made, {})).run([pending.call], { approvals: [token] });
  expect(results).toMatchObject([{ status: "not_run", text: expect.stringContaining("which github account") }]);
  expect(made.executions()).toBe(0);
});

test("the newest account of a user id with a comma isn't looked for: a list would read it as two users", async () => {
  const made = await gated({ ...NEWEST, userId: `${USER},ada` });
  const [result] = await made.tools.run([issueCall("1")]);
  expect(result).toMatchObject({ status: "not_run", pendingApproval: undefined });
  expect(String(result?.error)).toContain("comma");
});
