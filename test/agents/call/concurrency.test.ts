import { describe, expect, test } from "vitest";
import { memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { approvals, ask, type PendingApproval, policy } from "../../../src/agents/policy-entry.js";
import { ConfigError, Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { KEY } from "../approvals/support.js";
import { USER } from "../support.js";

const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });

/** A tool whose calls end when the test says so. */
function gate() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = tool({
    name: "work",
    description: "Works.",
    parameters: { type: "object" },
    execute: (_, { callId }) => {
      started.push(callId);
      return new Promise<string>((resolve) => ends.set(callId, () => resolve(`${callId} is done`)));
    },
  });
  const end = (callId: string) => ends.get(callId)?.();
  return { work, started, end };
}

const calls = (...ids: string[]) => ids.map((callId) => ({ callId, name: "work", arguments: {} }));
const until = (condition: () => boolean) => expect.poll(condition).toBe(true);

describe("the calls of a turn", () => {
  test("all run at the same time by default", async () => {
    const { work, started, end } = gate();
    const tools = await toolset(svc, { userId: USER, tools: [work], executions: memoryExecutions() });
    const running = tools.run(calls("a", "b", "c"));
    await until(() => started.length === 3);
    for (const id of started) end(id);
    expect((await running).map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  });

  test("are taken in their order, no more than concurrency at a time, and are answered in order", async () => {
    const { work, started, end } = gate();
    const options = { userId: USER, tools: [work], executions: memoryExecutions(), concurrency: 2 };
    const running = (await toolset(svc, options)).run(calls("a", "b", "c", "d"));
    await until(() => started.length === 2);
    end("b");
    await until(() => started.length === 3);
    // The effects of two calls that run at the same time start in either order.
    expect(started.slice(0, 2).sort()).toEqual(["a", "b"]);
    expect(started[2]).toBe("c");
    end("c");
    await until(() => started.length === 4);
    end("d");
    end("a");
    expect((await running).map(({ text }) => text)).toEqual(["a", "b", "c", "d"].map((id) => `"${id} is done"`));
  });

  test.each([
    [1, ["unknown", "succeeded"]],
    [undefined, ["unknown", "unknown"]],
  ])("after a crash in the first of two calls, with concurrency %s: %o", async (concurrency, statuses) => {
    const executions = memoryExecutions();
    const crashing = gate();
    const options = { userId: USER, conversationId: "1", concurrency };
    // The first process never gets on: it has crashed in the first call.
    void (await toolset(svc, { ...options, tools: [crashing.work], executions })).run(calls("a", "b"));
    await until(() => crashing.started.length === (concurrency ?? 2));
    const next = gate();
    // A store has one object per process.
    const other = await toolset(svc, { ...options, tools: [next.work], executions: { ...executions } });
    const running = other.run(calls("a", "b"));
    if (concurrency === 1) await until(() => next.started.length === 1);
    next.end("b");
    expect((await running).map(({ status }) => status)).toEqual(statuses);
    expect(next.started).toEqual(concurrency === 1 ? ["b"] : []);
  });

  test.each([0, 1.5, "2"])("can't run with concurrency %o", async (concurrency) => {
    const making = toolset(svc, { userId: USER, tools: [gate().work], concurrency: concurrency as number });
    expect((await rejectionOf(ConfigError, making)).message).toContain("concurrency must be a positive integer");
  });
});

test("a second run of a call, while the first one runs in the same process, gets its result", async () => {
  const { work, started, end } = gate();
  const options = { userId: USER, tools: [work], executions: memoryExecutions() };
  const first = (await toolset(svc, options)).run(calls("a"));
  const simultaneous = (await toolset(svc, options)).run(calls("a"));
  await until(() => started.length === 1);
  const later = (await toolset(svc, options)).run(calls("a"));
  end("a");
  const ended = [await first, await simultaneous, await later].flat();
  expect(ended.map(({ status, text }) => [status, text])).toEqual(Array(3).fill(["succeeded", '"a is done"']));
  expect(ended.map(({ isReplay }) => isReplay)).toEqual([false, true, true]);
  expect(started).toEqual(["a"]);
});

test("a run with the token of an approval doesn't wait for one whose approver is still asked", async () => {
  const asked: PendingApproval[] = [];
  const onRequest = (pending: PendingApproval) => {
    asked.push(pending);
    return new Promise<undefined>(() => undefined);
  };
  const { work, started, end } = gate();
  const rules = { policy: policy([ask({})]), executions: memoryExecutions() };
  const tools = await toolset(svc, {
    ...{ userId: USER, tools: [work], ...rules },
    approvals: approvals({ keys: [KEY], onRequest }),
  });
  const stop = new AbortController();
  const waiting = tools.run(calls("a"), { signal: stop.signal });
  await until(() => asked.length === 1);
  const [pending] = asked;
  if (!pending) expect.unreachable();
  const token = await approvals({ keys: [KEY] }).approve(pending, { approver: "ada@example.com" });
  const approved = tools.run(calls("a"), { approvals: [token] });
  await until(() => started.length === 1);
  end("a");
  expect((await approved)[0]?.status).toBe("succeeded");
  stop.abort(new Error("stop"));
  expect((await rejectionOf(Error, waiting)).message).toBe("stop");
});

test("a local tool may call another tool under its call's id", async () => {
  const executions = memoryExecutions();
  const helper = gate();
  const outer = tool({
    name: "outer",
    description: "Calls work.",
    parameters: { type: "object" },
    execute: async (_, { callId }) => (await inner.run([{ callId, name: "work", arguments: {} }]))[0]?.status,
  });
  const inner = await toolset(svc, { userId: USER, tools: [helper.work], executions });
  const tools = await toolset(svc, { userId: USER, tools: [outer], executions });
  const [result] = await tools.run([{ callId: "a", name: "outer", arguments: {} }]);
  // The id is taken, so the inner call doesn't run. It doesn't wait for the outer one either.
  expect(result).toMatchObject({ status: "succeeded", data: "not_run" });
  expect(helper.started).toEqual([]);
});
