import { describe, expect, test } from "vitest";
import { google } from "../../src/agents/adapters/google.js";
import { type ExecutionStore, memoryExecutions } from "../../src/agents/index.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE } from "./support.js";

const call = { callId: "call_1", name: CREATE_ISSUE, arguments: ISSUE };

describe("a repeated call id", () => {
  test("runs once if two toolsets with one store start it at the same time", async () => {
    const executions = memoryExecutions();
    const benches = [await bench({ executions }), await bench({ executions })];
    const results = (await Promise.all(benches.map(({ tools }) => tools.run([call])))).flat();
    expect(results.filter(({ isReplay }) => !isReplay)).toMatchObject([{ status: "succeeded" }]);
    expect(benches.map((one) => one.executions()).sort()).toEqual([0, 1]);
  });

  test.each([
    ["failed", { ...ISSUE, repo: "nowhere" }, undefined],
    ["unknown", ISSUE, 502],
  ])("has its recorded result if it %s the first time", async (status, args, fault) => {
    const { tools, emulator, executions } = await bench();
    if (fault) emulator.faults.next("tools.execute", { status: fault, when: "after" });
    const again = { ...call, arguments: args };
    const [first] = await tools.run([again]);
    expect(first).toMatchObject({ status, isReplay: false });
    const [second] = await tools.run([again]);
    expect(second).toMatchObject({ status, text: first?.text, error: undefined, isReplay: true });
    expect(executions()).toBe(1);
  });

  test("isn't run if the model's output was cut off the first time, which is recorded once", async () => {
    const store = memoryExecutions();
    const recorded: unknown[] = [];
    const finish: ExecutionStore["finish"] = (...args) => {
      recorded.push(args);
      return store.finish(...args);
    };
    const { tools, executions } = await bench({ executions: { ...store, finish } });
    for (const isTruncated of [true, true, false]) {
      const [result] = await tools.run([{ ...call, isTruncated }]);
      expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("cut off") });
    }
    expect(recorded).toEqual([[expect.any(String), expect.any(String), expect.stringContaining("cut off")]]);
    expect(executions()).toBe(0);
  });

  test("isn't run if it was cut off in a dry run: the message that goes back may look complete", async () => {
    const { tools, executions } = await bench();
    const cut = { status: "not_run", text: expect.stringContaining("cut off") };
    expect(await tools.run([{ ...call, isTruncated: true }], { dryRun: true })).toMatchObject([cut]);
    expect(await tools.run([call])).toMatchObject([cut]);
    expect(executions()).toBe(0);
    expect(await tools.run([{ ...call, callId: "another" }])).toMatchObject([{ status: "succeeded" }]);
  });
});

describe("an id that an earlier turn has used", () => {
  const idsOf = async (...given: string[]) => {
    const { tools } = await bench();
    const parts = given.map((id) => ({ functionCall: { id, name: COUNT_WORDS, args: { text: "a" } } }));
    const run = (responseId: string) => google(tools).run({ responseId, candidates: [{ content: { parts } }] });
    await run("first");
    const [second, again] = [await run("second"), await run("second")];
    const ids = second.results.map(({ callId }) => callId);
    expect(again.results.map(({ callId }) => callId)).toEqual(ids);
    return ids;
  };

  test.each([
    ["call_22", /^call_1\d+$/],
    ["turn1-call_22", /^turn1-call_1\d+$/],
    ["7", /^call_1\d+$/],
    ["", /^call_1\d+$/],
    ["call", /^call_1\d+$/],
    ["tool9", /^tool_1\d+$/],
    [`${COUNT_WORDS}_3`, new RegExp(`^${COUNT_WORDS}_1\\d+$`)],
  ])("becomes a longer one of the same shape: %j", async (id, shape) => {
    expect((await idsOf(id))[0]).toMatch(shape);
  });

  test("doesn't change those of other calls", async () => {
    const [first, second] = await idsOf("call_0", "toolu_01AbCdEf");
    expect(first).toMatch(/^call_1\d+$/);
    expect(second).toBe("toolu_01AbCdEf");
  });
});
