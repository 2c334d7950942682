import { describe, expect, test } from "vitest";
import { type ExecutionStore, memoryExecutions } from "../../src/agents/index.js";
import { ConfigError } from "../../src/index.js";

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

  test("forgets the calls that ended first if there are too many", async () => {
    const store = memoryExecutions({ maxCalls: 2 });
    await ended(store, "a", "b");
    expect(await store.find("a")).toBeDefined();
    await store.start("c", "start of c");
    expect(await store.find("a")).toBeUndefined();
    expect(await store.find("b")).toBeDefined();
    await store.start("d", "start of d");
    expect(await store.find("b")).toBeUndefined();
  });

  test("keeps every call that may still run, even if there are too many", async () => {
    const store = memoryExecutions({ maxCalls: 1 });
    for (const id of ["a", "b", "c"]) await store.start(id, `start of ${id}`);
    await ended(store, "d");
    await store.start("e", "start of e");
    for (const id of ["a", "b", "c", "e"]) expect(await store.find(id)).toEqual({ stamp: `start of ${id}` });
    expect(await store.find("d")).toBeUndefined();
  });

  test("keeps a call that runs again, after it was forgotten or its record was removed", async () => {
    for (const remove of [true, false]) {
      const store = memoryExecutions({ maxCalls: 1 });
      await ended(store, "a");
      if (remove) await store.finish("a", "start of a");
      else await store.start("b", "start of b");
      expect(await store.find("a")).toBeUndefined();
      await store.start("a", "second start");
      await store.start("c", "start of c");
      expect(await store.find("a")).toEqual({ stamp: "second start", result: undefined });
    }
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
