import { describe, expect, test } from "vitest";
import { type ExecutionStore, memoryExecutions } from "../../../src/agents/index.js";
import { describeApproval, type PendingApproval } from "../../../src/agents/policy-entry.js";
import { ConfigError } from "../../../src/index.js";
import { fakeClock } from "../../support/clock.js";
import { sized } from "../../support/size.js";
import { ISSUE } from "../support.js";
import { gated, issueCall } from "./support.js";

describe("onRequest", () => {
  test("judges a call at once", async () => {
    const seen: string[] = [];
    const { tools, executions } = await gated(
      {},
      {
        onRequest: (pending) => {
          seen.push(describeApproval(pending));
          return { approved: pending.arguments["owner"] === "octo-org", approver: "rules", reason: "Not ours." };
        },
      },
    );
    expect(await tools.run([issueCall("call_1")])).toMatchObject([{ status: "succeeded" }]);
    const [denied] = await tools.run([issueCall("call_2", { ...ISSUE, owner: "other" })]);
    expect(denied).toMatchObject({ status: "not_run", text: expect.stringContaining("Not ours.") });
    expect(seen).toHaveLength(2);
    expect(executions()).toBe(1);
  });

  test("may only save it, and is told of a call once", async () => {
    const saved: PendingApproval[] = [];
    const { tools, gate } = await gated({}, { onRequest: (pending) => void saved.push(pending) });
    await Promise.all([tools.run([issueCall("call_1")]), tools.run([issueCall("call_1")], { dryRun: true })]);
    await tools.run([issueCall("call_1")]);
    expect(saved).toHaveLength(1);
    const [pending] = saved;
    if (!pending) return;
    const token = await gate.approve(pending, { approver: "ada" });
    expect(await tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "succeeded" }]);
  });

  test("is told of each of many calls once, however often they are repeated", async () => {
    const COUNT = sized(100, 1_200);
    let told = 0;
    const { tools } = await gated({ accounts: { github: "ca_github_demo" } }, { onRequest: () => void told++ });
    const calls = Array.from({ length: COUNT }, (_, index) => issueCall(`call_${index}`));
    await tools.run(calls);
    await tools.run(calls);
    expect(told).toBe(COUNT);
  });

  test("is told of a call again once the question has expired, and not before", async () => {
    const clock = fakeClock();
    let told = 0;
    const onRequest = () => {
      told += 1;
      return told < 3 ? { expiresInMs: 60_000 } : { approved: true, approver: "ada" };
    };
    const { tools, executions } = await gated({}, { onRequest, now: clock.now });
    const run = async () => (await tools.run([issueCall("call_1")])).map(({ status }) => status);
    const runs: unknown[] = [await run(), await run()];
    clock.advance(59_999);
    runs.push(await run(), told);
    clock.advance(1);
    await tools.run([issueCall("call_1")], { dryRun: true });
    runs.push(told, ...(await Promise.all([run(), run()])), told);
    clock.advance(60_000);
    runs.push(await run(), told);
    const pending = ["pending"];
    expect(runs).toEqual([pending, pending, pending, 1, 1, pending, pending, 2, ["succeeded"], 3]);
    expect(executions()).toBe(1);
  });

  test("judges a call for as long as it says, and is asked again after that", async () => {
    const clock = fakeClock();
    let asked = 0;
    let isDown = true;
    const store = memoryExecutions();
    const executions: ExecutionStore = {
      ...store,
      start: async (...given) => (isDown ? Promise.reject(new Error("down")) : store.start(...given)),
    };
    const onRequest = () => {
      asked += 1;
      return { approved: asked === 1, approver: "ada", expiresInMs: 60_000 };
    };
    const { tools, executions: count } = await gated({ executions }, { onRequest, now: clock.now });
    const run = async () => (await tools.run([issueCall("call_1")])).map(({ status, text }) => ({ status, text }));
    expect(await run()).toMatchObject([{ status: "not_run" }]);
    clock.advance(59_999);
    await run();
    expect(asked).toBe(1);
    isDown = false;
    clock.advance(1);
    expect(await run()).toMatchObject([{ status: "not_run", text: expect.stringContaining("said no") }]);
    clock.advance(59_999);
    await run();
    expect({ asked, count: count() }).toEqual({ asked: 2, count: 0 });
  });

  test("runs nothing if it throws, and is asked again next time", async () => {
    let calls = 0;
    const onRequest = () => {
      calls += 1;
      if (calls === 1) throw new Error("the chat is down");
      return { approved: true, approver: "ada" };
    };
    const { tools, executions } = await gated({}, { onRequest });
    expect(await tools.run([issueCall("call_1")])).toMatchObject([{ status: "not_run", error: expect.any(Error) }]);
    expect(executions()).toBe(0);
    expect(await tools.run([issueCall("call_1")])).toMatchObject([{ status: "succeeded" }]);
  });

  test.each([
    ["approved isn't true", { approved: "yes", approver: "ada" }],
    ["there is no approver", { approved: true }],
    ["its lifetime is zero", { approved: true, approver: "ada", expiresInMs: 0 }],
    ["its lifetime has no end", { approved: true, approver: "ada", expiresInMs: Number.POSITIVE_INFINITY }],
    ["its lifetime is misspelled", { approved: true, approver: "ada", expiresIn: 1_000 }],
    ["neither a decision nor an expiry is returned", { expiresInMs: "never" }],
    ["its expiry is a string of digits", { expiresInMs: "5" }],
  ])("runs nothing if %s", async (_, decision) => {
    const { tools, executions } = await gated({}, { onRequest: () => decision as never });
    expect(await tools.run([issueCall("call_1")])).toMatchObject([
      { status: "not_run", error: expect.any(ConfigError) },
    ]);
    expect(executions()).toBe(0);
  });
});
