import { describe, expect, test } from "vitest";
import { memoryExecutions, toolset } from "../../../src/agents/index.js";
import {
  type Approvals,
  allow,
  approvals,
  ask,
  type BudgetStore,
  budget,
  policy,
} from "../../../src/agents/policy-entry.js";
import { argumentValidator } from "../../../src/contract/arguments.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { KEY } from "../approvals/support.js";
import { bench, CREATE_ISSUE, ISSUE, USER } from "../support.js";

const call = { callId: "1", name: CREATE_ISSUE, arguments: ISSUE };

test.each([
  undefined,
  null,
  true,
  "approved",
  { status: "approved" },
  { status: "approved", approver: 5 },
  { status: "ok", approver: "ada" },
  { status: "pending" },
  { status: "pending", pending: {} },
  { status: "refused", reason: "No." },
  { status: "denied" },
])("approvals that answer %j fail, and nothing runs", async (odd) => {
  // @ts-expect-error: not what the interface says.
  const gate: Approvals = { ...approvals({ keys: [KEY] }), resolve: async () => odd };
  const { tools, executions } = await bench({
    ...{ policy: policy([ask({})]), approvals: gate, executions: memoryExecutions() },
  });
  const [result] = await tools.run([call]);
  expect(result).toMatchObject({ status: "not_run", error: expect.any(TypeError) });
  expect(result?.text).toContain("the program had a problem");
  expect(executions()).toBe(0);
});

test.each([null, true, "0", "length", 0.5, -1, 1, Number.NaN, {}, []])(
  "a budget store that answers %j fails, and nothing runs",
  async (odd) => {
    // @ts-expect-error: not what the interface says.
    const budgets: BudgetStore = { consume: async () => odd, read: async () => 0 };
    const { tools, executions } = await bench({ policy: policy([allow({}), budget({ maxCalls: 1 })], { budgets }) });
    expect(await tools.run([call])).toMatchObject([{ status: "not_run", error: expect.any(TypeError) }]);
    expect(executions()).toBe(0);
  },
);

test.each([{ check: async () => [] }, { check: () => null }, { check: () => ({}) }, { check: () => "" }])(
  "a validator that doesn't answer with an array fails, and nothing runs",
  async (validateArguments) => {
    // @ts-expect-error: not what the interface says.
    const { tools, executions } = await bench({ validateArguments });
    expect(await tools.run([call])).toMatchObject([{ status: "not_run", error: expect.any(TypeError) }]);
    expect(executions()).toBe(0);
  },
);

test.each([true, "yes", { approved: "yes", approver: "ada" }, { approver: "ada" }])(
  "a function onRequest that answers %j fails, and nothing runs",
  async (odd) => {
    // @ts-expect-error: not what the interface says.
    const gate = approvals({ keys: [KEY], onRequest: async () => odd });
    const { tools, executions } = await bench({
      ...{ policy: policy([ask({})]), approvals: gate, executions: memoryExecutions() },
    });
    expect(await tools.run([call])).toMatchObject([{ status: "not_run", error: expect.any(Error) }]);
    expect(executions()).toBe(0);
  },
);

describe("a call inside SVC_MULTI_EXECUTE_TOOL", () => {
  test("is validated like a direct one", async () => {
    const emulator = createEmulator();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const session = await svc.toolRouter.create({ user_id: USER });
    const seen: unknown[] = [];
    const validateArguments = {
      check: (_schema: unknown, value: unknown) => {
        seen.push(value);
        const { title } = Object(value);
        return title === "No" ? [{ path: "title", expected: "another title", received: "a string" }] : [];
      },
    };
    const tools = await toolset(session, { policy: policy([allow({})]), catalog: svc, validateArguments });
    const several = (callId: string, title: string) => ({
      callId,
      name: "SVC_MULTI_EXECUTE_TOOL",
      arguments: {
        tools: [{ tool_slug: CREATE_ISSUE, arguments: { ...ISSUE, title } }],
        ...{ sync_response_to_workbench: false, session_id: "s" },
      },
    });
    const [invalid] = await tools.run([several("1", "No")]);
    expect(invalid).toMatchObject({ status: "not_run" });
    expect(invalid?.text).toContain("The arguments of tools[0] don't match its schema. title: expected another title");
    expect(seen).toContainEqual({ ...ISSUE, title: "No" });
    expect(await tools.run([several("2", "Yes")])).toMatchObject([{ status: "succeeded" }]);
  });

  test("is validated by argumentValidator() too", async () => {
    const emulator = createEmulator();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const session = await svc.toolRouter.create({ user_id: USER });
    const tools = await toolset(session, {
      ...{ policy: policy([allow({})]), catalog: svc, validateArguments: argumentValidator() },
    });
    const inner = { tool_slug: CREATE_ISSUE, arguments: { ...ISSUE, labels: [5] } };
    const args = { tools: [inner], sync_response_to_workbench: false, session_id: "s" };
    const run = tools.run([{ callId: "1", name: "SVC_MULTI_EXECUTE_TOOL", arguments: args }]);
    expect(await run).toMatchObject([{ status: "not_run" }]);
  });
});
