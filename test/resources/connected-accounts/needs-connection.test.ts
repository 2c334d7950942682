import { expect, test } from "vitest";
import { toolset } from "../../../src/agents/index.js";
import { needsConnection } from "../../../src/index.js";
import { emulated, rejection } from "../../support/client.js";

const issue = { version: "20251023_00", arguments: { owner: "octo-org", repo: "hello-world", title: "It works" } };

test("a user must connect if there is no account, and again if it has expired or was revoked", async () => {
  const { emulator, svc } = emulated();
  const run = (user_id: string) => svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id, ...issue });
  expect(needsConnection(await rejection(run("nobody")))).toBe(true);

  emulator.accounts.expire("ca_github_demo");
  expect(needsConnection(await rejection(run("user-4711")))).toBe(true);
  expect(needsConnection(await rejection(svc.connectedAccounts.waitUntilActive("ca_github_demo")))).toBe(true);
});

test("a toolset's results and its AuthRequiredError say so too", async () => {
  const { svc } = emulated();
  const choice = { userId: "nobody", tools: ["GITHUB_CREATE_AN_ISSUE"] };
  const call = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue.arguments };
  const [result] = await (await toolset(svc, choice)).run([call]);
  expect(needsConnection(result?.error)).toBe(true);
  const throwing = await toolset(svc, { ...choice, onAuthRequired: "throw" });
  expect(needsConnection(await rejection(throwing.run([call])))).toBe(true);
});

test("no other error means that the user needs to connect", async () => {
  const { svc } = emulated();
  const wrongId = await rejection(svc.connectedAccounts.get("ca_unknown"));
  await svc.connectedAccounts.disable("ca_github_demo");
  const waiting = { deadlineMs: 1 };
  const disabled = await rejection(svc.connectedAccounts.waitUntilActive("ca_github_demo", waiting));
  for (const error of [wrongId, disabled, new Error("no"), undefined, null, "expired"]) {
    expect(needsConnection(error)).toBe(false);
  }
});
