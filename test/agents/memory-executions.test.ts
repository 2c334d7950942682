import { describe, expect, test, vi } from "vitest";
import { type ExecutionStore, memoryExecutions } from "../../src/agents/index.js";
import { ConfigError } from "../../src/index.js";
import { rejectionOf } from "../support/client.js";
import { bench, CREATE_ISSUE, ISSUE } from "./support.js";

/** Starts calls and records their results. */
async function ended(store: ExecutionStore, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await store.start(id, `start of ${id}`);
    await store.finish(id, `start of ${id}`, "done");
  }
}

describe("memoryExecutions", () => {
  test("keeps a limited number of results, and of older calls only the start", async () => {
    const store = memoryExecutions({ maxResults: 2 });
    await ended(store, "a", "b", "c");
    expect(await store.start("a", "again")).toEqual({ stamp: "start of a", result: undefined });
    expect(await store.find("b")).toEqual({ stamp: "start of b", result: "done" });
    expect(await store.start("b", "again")).toEqual(await store.find("b"));
    expect(await store.find("b")).toEqual({ stamp: "start of b", result: "done" });
  });

  test("keeps 1,000 results by default", async () => {
    const store = memoryExecutions();
    await ended(store, ...Array.from({ length: 1_001 }, (_, index) => String(index)));
    expect(await store.find("0")).toEqual({ stamp: "start of 0", result: undefined });
    expect(await store.find("1")).toMatchObject({ result: "done" });
  });

  test("keeps the results of each conversation, whatever is called in others", async () => {
    const store = memoryExecutions({ maxResults: 2 });
    const id = (conversation: string, call: string) => JSON.stringify([conversation, call]);
    await ended(store, id("a", "1"), ...["1", "2", "3"].map((call) => id("b", call)), id("a", "2"));
    for (const kept of [id("a", "1"), id("a", "2"), id("b", "3")]) {
      expect(await store.find(kept)).toMatchObject({ result: "done" });
    }
    expect(await store.find(id("b", "1"))).toMatchObject({ result: undefined });
    // In all, twenty.
    await ended(store, ...Array.from({ length: 18 }, (_, index) => id(`c${index}`, "1")));
    expect(await store.find(id("a", "1"))).toEqual({ stamp: expect.any(String), result: undefined });
    expect(await store.find(id("a", "2"))).toMatchObject({ result: "done" });
  });

  test("forgets no call: if there are too many, no other one starts", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const store = memoryExecutions({ maxCalls: 2 });
    await ended(store, "a");
    await store.start("b", "start of b");
    for (const id of ["c", "d"]) {
      const error = await rejectionOf(ConfigError, store.start(id, "start"));
      expect(error.message).toContain("memoryExecutions: 2 calls are stored. Pass executions to the toolset");
    }
    expect(await store.start("a", "again")).toEqual({ stamp: "start of a", result: "done" });
    expect(await store.start("b", "again")).toEqual({ stamp: "start of b", result: undefined });
    // It never ran.
    await store.finish("b", "start of b");
    expect(await store.start("c", "start of c")).toBeUndefined();
    warn.mockRestore();
  });

  test("warns once before there are too many", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const store = memoryExecutions({ maxCalls: 20 });
    await ended(store, ...Array.from({ length: 17 }, (_, index) => String(index)));
    expect(warn).not.toHaveBeenCalled();
    await ended(store, "17", "18", "19");
    expect(warn.mock.calls).toEqual([[expect.stringContaining("18 of 20 calls are stored, and then none runs.")]]);
    warn.mockRestore();
  });

  test("runs nothing in a toolset if there are too many calls, and no call twice", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const { tools, executions } = await bench({ executions: memoryExecutions({ maxCalls: 2 }) });
    const run = (callId: string) => tools.run([{ callId, name: CREATE_ISSUE, arguments: ISSUE }]);
    for (const id of ["1", "2"]) expect(await run(id)).toMatchObject([{ status: "succeeded" }]);
    expect(await run("3")).toMatchObject([{ status: "not_run", error: expect.any(ConfigError) }]);
    expect(await run("1")).toMatchObject([{ status: "succeeded", isReplay: true }]);
    expect(executions()).toBe(2);
    warn.mockRestore();
  });

  test("forgets nothing but a call that never ran when a call ends without a result", async () => {
    const store = memoryExecutions();
    await store.start("a", "first");
    await store.finish("a", "another start");
    await store.finish("a", "another start", "done");
    await store.finish("b", "first", "done");
    expect(await store.find("a")).toEqual({ stamp: "first", result: undefined });
    expect(await store.find("b")).toBeUndefined();
    await store.finish("a", "first");
    expect(await store.find("a")).toBeUndefined();
    expect(await store.start("a", "second")).toBeUndefined();
  });

  test.each([{ maxCalls: Number.NaN }, { maxResults: 0 }, { maxCalls: -1 }, { maxResults: 1.5 }])(
    "rejects %j",
    (options) => {
      const [[name, value] = []] = Object.entries(options);
      const message = `memoryExecutions: ${name} must be a positive integer, not ${value}.`;
      expect(() => memoryExecutions(options)).toThrow(new ConfigError(message));
    },
  );

  test("rejects an unknown option", () => {
    // @ts-expect-error: a JavaScript program may misspell it.
    expect(() => memoryExecutions({ maxResult: 1 })).toThrow(/^memoryExecutions: .*maxResult/);
  });
});
