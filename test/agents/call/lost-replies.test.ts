import { describe, expect, test } from "vitest";
import { type ExecutionRecord, type ExecutionStore, memoryExecutions, toolset } from "../../../src/agents/index.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { type Middleware, Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { bench, CREATE_ISSUE, ISSUE, USER } from "../support.js";

const call = { callId: "call_1", name: CREATE_ISSUE, arguments: ISSUE };
type Method = keyof ExecutionStore;

/** A store that acts on so many requests of a method, and whose replies to them are lost. */
function losing(method: Method, count: number, store = memoryExecutions()): ExecutionStore {
  let left = count;
  const lossy =
    <Args extends unknown[], Reply>(name: Method, act: (...args: Args) => Promise<Reply>) =>
    async (...args: Args) => {
      const reply = await act(...args);
      if (name === method && left-- > 0) throw new Error("connection lost");
      return reply;
    };
  return { find: lossy("find", store.find), start: lossy("start", store.start), finish: lossy("finish", store.finish) };
}

describe("a call whose store loses replies", () => {
  test("runs once if the reply to its start is lost", async () => {
    const { tools, executions } = await bench({ executions: losing("start", 1) });
    expect(await tools.run([call])).toMatchObject([{ status: "succeeded", isReplay: false }]);
    expect(await tools.run([call])).toMatchObject([{ status: "succeeded", isReplay: true }]);
    expect(executions()).toBe(1);
  });

  test("runs once, later, if every reply to its start was lost at first", async () => {
    const executionStore = losing("start", 2);
    const { tools, executions } = await bench({ executions: executionStore });
    expect(await tools.run([call])).toMatchObject([{ status: "not_run" }]);
    // Of one turn that comes twice, one runs.
    const [results, again] = await Promise.all([tools.run([call]), tools.run([call])]);
    expect([...results, ...again].filter(({ isReplay }) => !isReplay)).toMatchObject([{ status: "succeeded" }]);
    expect(executions()).toBe(1);
  });

  test("runs once, later, although it was aborted in between, before it was sent", async () => {
    const controller = new AbortController();
    const left = new Error("the user left");
    let isLeaving = false;
    const leaving: Middleware = (_, next) => {
      if (!isLeaving) return next();
      controller.abort(left);
      throw left;
    };
    const svc = new Svc({ ...createEmulator().connection, env: {}, use: [leaving] });
    const options = {
      userId: USER,
      tools: [CREATE_ISSUE],
      accounts: "newest",
      executions: losing("start", 2),
    } as const;
    const tools = await toolset(svc, options);
    expect(await tools.run([call])).toMatchObject([{ status: "not_run" }]);
    isLeaving = true;
    expect(await rejectionOf(Error, tools.run([call], { signal: controller.signal }))).toBe(left);
    isLeaving = false;
    expect(await tools.run([call])).toMatchObject([{ status: "succeeded", isReplay: false }]);
  });

  test("runs again after the reply to its end was lost, if it provably didn't run", async () => {
    for (const lost of [1, 2]) {
      const { tools, emulator } = await bench({ executions: losing("finish", lost) });
      emulator.faults.next("tools.execute", { status: 400 });
      expect(await tools.run([call])).toMatchObject([{ status: "not_run" }]);
      expect(await tools.run([call])).toMatchObject([{ status: "succeeded", isReplay: false }]);
    }
  });

  test.each(["the request", "the reply"])(
    "never runs after it was cut off and %s to record this was lost",
    async (lost) => {
      const store = memoryExecutions();
      let failures = 2;
      const start: ExecutionStore["start"] = async (...args) => {
        const isLost = failures-- > 0;
        const reply = isLost && lost === "the request" ? undefined : await store.start(...args);
        if (isLost) throw new Error("no connection");
        return reply;
      };
      const { tools, executions } = await bench({ executions: { ...store, start } });
      expect(await tools.run([{ ...call, isTruncated: true }])).toMatchObject([{ status: "not_run" }]);
      // What went back to the model looks complete.
      expect(await tools.run([call])).toMatchObject([{ status: "not_run", text: expect.stringContaining("cut off") }]);
      expect(executions()).toBe(0);
      const whole = { ...call, arguments: { ...ISSUE, title: "The whole title" } };
      expect(await tools.run([whole])).toMatchObject([{ status: "succeeded" }]);
    },
  );

  test("never runs after it was cut off, even if the whole call was previewed since", async () => {
    const { tools, executions } = await bench();
    expect(await tools.run([{ ...call, isTruncated: true }])).toMatchObject([{ status: "not_run" }]);
    const whole = { ...call, arguments: { ...ISSUE, title: "The whole title" } };
    expect(await tools.run([whole], { dryRun: true })).toMatchObject([{ status: "dry_run" }]);
    expect(await tools.run([call])).toMatchObject([{ status: "not_run", text: expect.stringContaining("cut off") }]);
    expect(executions()).toBe(0);
  });

  test("runs with other arguments after its start was lost, and has their result the next time", async () => {
    const store = memoryExecutions();
    let failures = 2;
    const start: ExecutionStore["start"] = async (...args) => {
      if (failures-- > 0) throw new Error("no connection");
      return store.start(...args);
    };
    const { tools, executions } = await bench({ executions: { ...store, start } });
    expect(await tools.run([call])).toMatchObject([{ status: "not_run" }]);
    const other = { ...call, arguments: { ...ISSUE, title: "Another" } };
    expect(await tools.run([other])).toMatchObject([{ status: "succeeded", isReplay: false }]);
    expect(await tools.run([other])).toMatchObject([{ status: "succeeded", isReplay: true }]);
    expect(executions()).toBe(1);
  });

  test("runs if the lost request to start it arrives at the store before the next one", async () => {
    const store = memoryExecutions();
    const late: Parameters<ExecutionStore["start"]>[] = [];
    let failures = 2;
    const start: ExecutionStore["start"] = async (...args) => {
      if (failures-- > 0) {
        late.push(args);
        throw new Error("no connection");
      }
      for (const earlier of late.splice(0)) await store.start(...earlier);
      return store.start(...args);
    };
    const { tools } = await bench({ executions: { ...store, start } });
    expect(await tools.run([call])).toMatchObject([{ status: "not_run" }]);
    expect(await tools.run([call])).toMatchObject([{ status: "succeeded", isReplay: false }]);
    expect(await tools.run([call])).toMatchObject([{ status: "succeeded", isReplay: true }]);
  });

  test("runs again and is recorded if the lost request to remove its record arrives while it runs", async () => {
    const store = memoryExecutions();
    const late: Parameters<ExecutionStore["finish"]>[] = [];
    let failures = 2;
    const finish: ExecutionStore["finish"] = async (...args) => {
      if (failures-- <= 0) return store.finish(...args);
      late.push(args);
      throw new Error("no connection");
    };
    const start: ExecutionStore["start"] = async (...args) => {
      const record = await store.start(...args);
      for (const earlier of late.splice(0)) await store.finish(...earlier);
      return record;
    };
    const { tools, emulator, executions } = await bench({ executions: { ...store, start, finish } });
    emulator.faults.next("tools.execute", { status: 400 });
    expect(await tools.run([call])).toMatchObject([{ status: "not_run" }]);
    expect(await tools.run([call])).toMatchObject([{ status: "succeeded", isReplay: false }]);
    expect(await tools.run([call])).toMatchObject([{ status: "succeeded", isReplay: true }]);
    expect(executions()).toBe(2);
  });

  test("doesn't run again if its result couldn't be recorded", async () => {
    const finish = () => Promise.reject(new Error("no connection"));
    const { tools, executions } = await bench({ executions: { ...memoryExecutions(), finish } });
    expect(await tools.run([call])).toMatchObject([{ status: "succeeded", isReplay: false }]);
    expect(await tools.run([call])).toMatchObject([{ status: "unknown", isReplay: true }]);
    expect(executions()).toBe(1);
  });

  test("stays unknown for another process, which can't tell whether it ran", async () => {
    const store = memoryExecutions();
    const first = await bench({ executions: losing("start", 2, store) });
    await first.tools.run([call]);
    const second = await bench({ executions: store });
    expect(await second.tools.run([call])).toMatchObject([{ status: "unknown", isReplay: true }]);
    expect(second.executions()).toBe(0);
  });
});

describe("a store of executions that returns something else", () => {
  test.each([null, false, 0, "", [], {}, "OK", { stamp: 1 }, { stamp: "s", result: null }, { stamp: "s", result: {} }])(
    "%j: nothing runs",
    async (odd) => {
      for (const method of ["find", "start"] as const) {
        // @ts-expect-error: not what the interface says.
        const answer: () => Promise<ExecutionRecord | undefined> = async () => odd;
        const { tools, executions } = await bench({ executions: { ...memoryExecutions(), [method]: answer } });
        expect(await tools.run([call])).toMatchObject([{ status: "not_run", error: expect.any(TypeError) }]);
        expect(executions()).toBe(0);
      }
    },
  );

  test.each(["", "null", "{}", '{"text":"paid"}', '{"status":"not_run","text":""}', '{"status":"succeeded"}'])(
    "%j as a result: the outcome is unknown",
    async (result) => {
      const store = memoryExecutions();
      const first = await bench({ executions: { ...store, finish: (id, stamp) => store.finish(id, stamp, result) } });
      await first.tools.run([call]);
      const { tools, executions } = await bench({ executions: store });
      expect(await tools.run([call])).toMatchObject([
        { status: "unknown", text: expect.stringContaining("unknown"), error: expect.any(TypeError), isReplay: true },
      ]);
      expect(executions()).toBe(0);
    },
  );
});
