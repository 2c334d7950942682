import { expect, test } from "vitest";
import { memoryExecutions } from "../../../src/agents/index.js";
import { memoryApprovals } from "../../../src/agents/policy-entry.js";
import { USER } from "../support.js";
import { gated } from "./support.js";

/** Two processes that share a store, with their own gate and toolset. */
async function processes() {
  const [store, executions] = [memoryApprovals(), memoryExecutions()];
  const make = () => gated({ executions }, { store });
  return { one: await make(), other: await make() };
}

test("decide() returns the first decision to each person", async () => {
  const { one, other } = await processes();
  const { id, call } = await one.ask("call_1");
  const approval = { approved: true, approver: "ada", reason: "Go.", expiresInMs: 3_600_000 } as const;
  const denial = { approved: false, approver: "bob", reason: "No." } as const;
  const first = await one.gate.decide(id, approval);
  expect(first).toMatchObject({ state: "approved", approver: "ada", reason: "Go.", decidedAt: expect.any(Number) });
  expect(await other.gate.decide(id, denial)).toEqual(first);
  expect(await other.gate.decide(id, { ...approval, approver: "bob" })).toEqual(first);
  expect(await other.gate.get(id)).toEqual(first);
  expect(await other.tools.run([call])).toMatchObject([{ status: "succeeded" }]);

  const denied = await one.ask("call_2");
  const contested = [other.gate.decide(denied, denial), one.gate.decide(denied.id, { ...denial, approver: "cy" })];
  const [bob, cy] = await Promise.all(contested);
  expect(bob).toMatchObject({ state: "denied", pending: { id: denied.id }, reason: "No." });
  expect(cy).toEqual(bob);
  expect(await one.tools.run([denied.call])).toMatchObject([{ status: "not_run" }]);

  const withdrawn = await one.ask("call_3");
  await one.gate.withdraw(withdrawn, { approver: USER });
  expect(await other.gate.decide(withdrawn, approval)).toMatchObject({ state: "withdrawn", approver: USER });
  expect(one.executions() + other.executions()).toBe(1);
});

test("decide() opens and denies a pending approval that its store doesn't have", async () => {
  const { one } = await processes();
  const elsewhere = await gated({}, { store: memoryApprovals() });
  const pending = await elsewhere.ask();
  expect(await one.gate.decide(pending, { approved: false, approver: "ada" })).toMatchObject({ state: "denied" });
  expect(await one.tools.run([pending.call])).toMatchObject([{ status: "not_run" }]);
});
