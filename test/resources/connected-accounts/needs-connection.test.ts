import { describe, expect, test } from "vitest";
import { toolset } from "../../../src/agents/index.js";
import { ConnectionStateError, needsConnection } from "../../../src/index.js";
import { emulated, rejection } from "../../support/client.js";

const issue = { version: "20251023_00", arguments: { owner: "octo-org", repo: "hello-world", title: "It works" } };
const choice = { tools: ["GITHUB_CREATE_AN_ISSUE"] };
const call = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue.arguments };

test("a user must connect if there is no account, and again if it has expired or was revoked", async () => {
  const { emulator, svc } = emulated();
  const run = (user_id: string) => svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id, ...issue });
  expect(needsConnection(await rejection(run("nobody")))).toBe("not_connected");

  emulator.accounts.expire("ca_github_demo");
  expect(needsConnection(await rejection(run("user-4711")))).toBe("expired");
  expect(needsConnection(await rejection(svc.connectedAccounts.waitUntilActive("ca_github_demo")))).toBe("expired");
});

describe("an execution through an account that is", () => {
  /** Brings the only account of a user to a status. */
  const bring: Readonly<Record<string, (front: ReturnType<typeof emulated>, id: string) => unknown>> = {
    INITIALIZING: () => undefined,
    FAILED: ({ emulator }, id) => emulator.accounts.decline(id),
    EXPIRED: ({ emulator }, id) => emulator.accounts.expire(id),
    REVOKED: ({ emulator }, id) => emulator.accounts.revoke(id),
    INACTIVE: ({ svc }, id) => svc.connectedAccounts.disable(id),
  };

  test.each([
    ["INITIALIZING", "unfinished", "connected_account_not_active"],
    ["FAILED", "failed", "connected_account_not_active"],
    ["EXPIRED", "expired", "auth_refresh_required"],
    ["REVOKED", "revoked", "connected_account_not_active"],
    ["INACTIVE", undefined, "connected_account_not_active"],
  ])("%s needs: %s", async (status, need, condition) => {
    const front = emulated();
    const { svc } = front;
    const link = { auth_config_id: "ac_github_demo", user_id: "ada" };
    const { connected_account_id: id } = await svc.connectedAccounts.link(link);
    if (!["INITIALIZING", "FAILED"].includes(status)) front.emulator.accounts.activate(id);
    await bring[status]?.(front, id);
    expect(await svc.connectedAccounts.get(id)).toMatchObject({ status });
    const error = await rejection(svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id: "ada", ...issue }));
    expect(error).toMatchObject({ condition });
    expect(needsConnection(error)).toBe(need);
    // A toolset says the same.
    const tools = await toolset(svc, { ...choice, userId: "ada", onAuthRequired: "throw" });
    const thrown = await rejection(tools.run([call]));
    expect(thrown).toMatchObject({ name: "AuthRequiredError", reason: need ?? "inactive" });
    expect(needsConnection(thrown)).toBe(need);
  });
});

test.each([
  ["INITIALIZING", "unfinished"],
  ["INITIATED", "unfinished"],
  ["FAILED", "failed"],
  ["EXPIRED", "expired"],
  ["REVOKED", "revoked"],
  ["INACTIVE", undefined],
  ["PONDERING", undefined],
])("an account that is %s needs: %s", (status, need) => {
  const facts = { connectedAccountId: "ca_1", status, reason: undefined };
  expect(needsConnection(new ConnectionStateError("connectedAccounts.get", facts))).toBe(need);
});

test("a user who hasn't finished within the deadline needs to finish", async () => {
  const { svc } = emulated();
  const { connected_account_id: id } = await svc.connectedAccounts.link({
    auth_config_id: "ac_github_demo",
    user_id: "ada",
  });
  const error = await rejection(svc.connectedAccounts.waitUntilActive(id, { deadlineMs: 10 }));
  expect(needsConnection(error)).toBe("unfinished");
});

test("a toolset's results and its AuthRequiredError say so too", async () => {
  const { svc } = emulated();
  const [result] = await (await toolset(svc, { ...choice, userId: "nobody" })).run([call]);
  expect(needsConnection(result?.error)).toBe("not_connected");
  const throwing = await toolset(svc, { ...choice, userId: "nobody", onAuthRequired: "throw" });
  expect(needsConnection(await rejection(throwing.run([call])))).toBe("not_connected");
});

test("no other error means that the user needs to connect", async () => {
  const { svc } = emulated();
  const wrongId = await rejection(svc.connectedAccounts.get("ca_unknown"));
  await svc.connectedAccounts.disable("ca_github_demo");
  const waiting = { deadlineMs: 1 };
  const disabled = await rejection(svc.connectedAccounts.waitUntilActive("ca_github_demo", waiting));
  for (const error of [wrongId, disabled, new Error("no"), undefined, null, "expired"]) {
    expect(needsConnection(error)).toBeUndefined();
  }
});
