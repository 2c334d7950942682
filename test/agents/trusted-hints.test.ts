import { expect, test } from "vitest";
import { tool } from "../../src/agents/index.js";
import { bench, USER } from "./support.js";

const LIST = "GITHUB_LIST_REPOSITORY_ISSUES";
const list = { callId: "1", name: LIST, arguments: { owner: "octo-org", repo: "hello-world" } };

test("a tag of the service alone doesn't let a call be sent twice", async () => {
  const { tools, emulator, executions } = await bench({ tools: [LIST] });
  emulator.faults.next("tools.execute", { status: 503 });
  const [result] = await tools.run([list]);
  expect(result).toMatchObject({ status: "unknown", text: expect.stringContaining("It may have run.") });
  expect(executions()).toBe(1);
});

test("with trustHints, a tool that only reads is sent again, and the model is told to try again", async () => {
  const { tools, emulator, executions } = await bench({ tools: [LIST], trustHints: true });
  emulator.faults.next("tools.execute", { status: 503 });
  expect(await tools.run([list])).toMatchObject([{ status: "succeeded" }]);
  expect(executions()).toBe(2);

  for (let attempt = 0; attempt < 3; attempt += 1) emulator.faults.next("tools.execute", { status: 503 });
  const [failed] = await tools.run([{ ...list, callId: "2" }]);
  expect(failed?.status).toBe("failed");
  expect(failed?.text).toMatch(/503.* It only reads: call it again, or tell the user\.$/);
  expect(failed?.text).not.toContain("may have run");
});

test("with trustHints, a read that needs an account still says so, and a tool that acts is sent once", async () => {
  const { tools, emulator, executions } = await bench({
    tools: [LIST, "GITHUB_CREATE_AN_ISSUE"],
    trustHints: true,
    accounts: "newest",
    userId: "nobody",
  });
  expect(await tools.run([list])).toMatchObject([{ status: "not_run", authRequired: { reason: "not_connected" } }]);
  emulator.faults.next("tools.execute", { status: 503 });
  const issue = { callId: "2", name: "GITHUB_CREATE_AN_ISSUE", arguments: { ...list.arguments, title: "A" } };
  const before = executions();
  expect(await tools.run([issue])).toMatchObject([{ status: "unknown" }]);
  expect(executions() - before).toBe(1);
});

test("the tags of a local tool are the program's, so they are trusted", async () => {
  const execute = () => {
    throw new Error("the disk is busy");
  };
  const parameters = { type: "object", properties: {} } as const;
  const reads = tool({ name: "read", description: "Reads.", parameters, tags: ["readOnlyHint"], execute });
  const acts = tool({ name: "act", description: "Acts.", parameters, execute });
  const { tools } = await bench({ tools: [reads, acts], userId: USER });
  const [read, act] = await tools.run([
    { callId: "1", name: "read", arguments: {} },
    { callId: "2", name: "act", arguments: {} },
  ]);
  expect(read).toMatchObject({
    status: "failed",
    text: "read failed: the disk is busy. It only reads: call it again, or tell the user.",
  });
  expect(act).toMatchObject({ status: "unknown" });
});
