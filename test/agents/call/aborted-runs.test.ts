import { describe, expect, test } from "vitest";
import { type ExecutionStore, memoryExecutions } from "../../../src/agents/index.js";
import { rejection } from "../../support/client.js";
import { bench, CREATE_ISSUE, ISSUE } from "../support.js";

/** A reply that never arrives. */
const pending = new Promise<never>(() => undefined);
const issue = (callId: string) => ({ callId, name: CREATE_ISSUE, arguments: ISSUE });

describe("an aborted run", () => {
  test("rejects with the signal's reason, and sent calls have an unknown outcome", async () => {
    const { tools, emulator, events } = await bench();
    const controller = new AbortController();
    emulator.faults.next("tools.execute", { connection: "hang" });
    const running = tools.run([issue("1")], { signal: controller.signal });
    while (emulator.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("the user left"));
    expect(await rejection(running)).toMatchObject({ message: "the user left" });
    expect(events.at(-1)).toMatchObject({ type: "finished", status: "unknown" });
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "unknown", isReplay: true }]);
  });

  test.each(["find", "start"] as const)("doesn't wait for a store that doesn't answer: %s", async (method) => {
    const aborting = new AbortController();
    const executionStore = memoryExecutions();
    const silent = () => {
      aborting.abort(new Error("the user left"));
      return pending;
    };
    const { tools, executions, events } = await bench({ executions: { ...executionStore, [method]: silent } });
    expect(await rejection(tools.run([issue("1")], { signal: aborting.signal }))).toMatchObject({
      message: "the user left",
    });
    expect(executions()).toBe(0);
    expect(events).toEqual([]);
  });

  test("runs a call again whose start was recorded although its run was aborted", async () => {
    const aborting = new AbortController();
    const executionStore = memoryExecutions();
    const start: ExecutionStore["start"] = async (id, stamp) => {
      const record = await executionStore.start(id, stamp);
      if (!aborting.signal.aborted) aborting.abort(new Error("the user left"));
      return record;
    };
    const { tools, executions } = await bench({ executions: { ...executionStore, start } });
    await rejection(tools.run([issue("1")], { signal: aborting.signal }));
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "succeeded", isReplay: false }]);
    expect(executions()).toBe(1);
  });

  test("returns the result of a call that ran although its store doesn't record it", async () => {
    const aborting = new AbortController();
    const finish = () => {
      aborting.abort(new Error("the user left"));
      return pending;
    };
    const { tools } = await bench({ executions: { ...memoryExecutions(), finish } });
    const results = await tools.run([issue("1")], { signal: aborting.signal });
    expect(results).toMatchObject([{ status: "succeeded" }]);
  });

  test("starts nothing if its signal is already aborted", async () => {
    const { tools, executions } = await bench();
    await rejection(tools.run([issue("1")], { signal: AbortSignal.abort(new Error("too late")) }));
    expect(executions()).toBe(0);
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "succeeded", isReplay: false }]);
  });
});
