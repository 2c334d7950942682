import { describe, expect, test } from "vitest";
import { type Ending, memoryExecutions, type ToolMiddleware, tool } from "../../../src/agents/index.js";
import { allow, deny, label, policy } from "../../../src/agents/policy-entry.js";
import { ConfigError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { eventually } from "../../support/eventually.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE } from "../support.js";

const issue = (callId = "1") => ({ callId, name: CREATE_ISSUE, arguments: ISSUE });
const wrapped = (...use: ToolMiddleware[]) => bench({ use });

describe("the middleware of a toolset", () => {
  test("wraps each call, the first outermost, and sees the result", async () => {
    const seen: unknown[] = [];
    const noted =
      (name: string): ToolMiddleware =>
      async (call, next) => {
        seen.push([name, call.tool.name, call.arguments]);
        const result = await next();
        seen.push([name, result.status]);
        return result;
      };
    const { tools } = await wrapped(noted("outer"), noted("inner"));
    expect(await tools.run([issue()])).toMatchObject([{ status: "succeeded" }]);
    expect(seen).toEqual([
      ["outer", CREATE_ISSUE, ISSUE],
      ["inner", CREATE_ISSUE, ISSUE],
      ["inner", "succeeded"],
      ["outer", "succeeded"],
    ]);
  });

  const titled =
    (title: unknown): ToolMiddleware =>
    (call, next) => {
      call.arguments = { ...call.arguments, title };
      return next();
    };

  test("changes arguments before they are checked and before the policy is asked", async () => {
    const { tools, emulator } = await wrapped(titled("changed"));
    expect(await tools.run([issue()])).toMatchObject([{ data: { title: "changed" } }]);
    const checked = await wrapped(titled(7));
    expect(await checked.tools.run([issue()])).toMatchObject([{ status: "not_run", mismatches: [{ path: "title" }] }]);
    const rules = policy([allow({}), deny({ when: { title: { is: "changed" } } })]);
    const denied = await bench({ use: [titled("changed")], policy: rules });
    expect(await denied.tools.run([issue()])).toMatchObject([{ status: "not_run" }]);
    expect(denied.executions()).toBe(0);
    expect(emulator.requests).not.toEqual([]);
  });

  test("shortens the data of a result, and the model reads no more of it", async () => {
    const { tools } = await wrapped(async (_, next) => {
      const { data, ...result } = await next();
      return { ...result, data: { number: Object(data).number } };
    });
    const [result] = await tools.run([issue()]);
    expect(JSON.parse(result?.text ?? "")).toEqual({ number: expect.any(Number) });
    expect(await tools.run([issue()])).toMatchObject([{ isReplay: true, text: result?.text }]);
  });

  test("may change the data in place", async () => {
    const { tools } = await wrapped(async (_, next) => {
      const result = await next();
      Object.assign(Object(result.data), { title: "hidden" });
      return result;
    });
    expect((await tools.run([issue()]))[0]?.text).not.toContain("From a model");
  });

  test("returns a result that is bounded like any other", async () => {
    const { tools } = await bench({
      maxResultBytes: 1_024,
      use: [async () => ({ status: "succeeded", text: "x".repeat(50_000) })],
    });
    const [result] = await tools.run([issue()]);
    expect(result?.text.length).toBeLessThanOrEqual(1_024);
  });

  test("may keep a call from running", async () => {
    const { tools, executions } = await wrapped(async () => ({ status: "not_run", text: "Not on Sundays." }));
    expect(await tools.run([issue()])).toMatchObject([{ status: "not_run", text: "Not on Sundays.", data: undefined }]);
    expect(executions()).toBe(0);
  });

  test("that throws before the call keeps it from running; after the call, its outcome is unknown", async () => {
    const failure = new Error("broken");
    const before = await wrapped(() => Promise.reject(failure));
    expect(await before.tools.run([issue()])).toMatchObject([{ status: "not_run", error: failure }]);
    expect(before.executions()).toBe(0);
    const after = await wrapped(async (_, next) => {
      await next();
      throw failure;
    });
    expect(await after.tools.run([issue()])).toMatchObject([{ status: "unknown", error: failure }]);
    expect(await after.tools.run([issue()])).toMatchObject([{ status: "unknown", isReplay: true }]);
    expect(after.executions()).toBe(1);
  });

  test("can't run a call twice", async () => {
    const { tools, executions } = await wrapped(async (_, next) => {
      await next();
      return next();
    });
    expect(await tools.run([issue()])).toMatchObject([{ status: "unknown", error: expect.any(TypeError) }]);
    expect(executions()).toBe(1);
  });

  test("can't say that a call which ran didn't", async () => {
    const { tools, executions } = await wrapped(async (_, next) => ({ ...(await next()), status: "not_run" }));
    expect(await tools.run([issue()])).toMatchObject([{ status: "succeeded" }]);
    expect(await tools.run([issue()])).toMatchObject([{ isReplay: true }]);
    expect(executions()).toBe(1);
  });

  test.each<[string, ToolMiddleware]>([
    [
      "gives up waiting",
      async (_, next) => {
        void next();
        return { status: "not_run", text: "Too slow." };
      },
    ],
    [
      "throws while it runs",
      async (_, next) => {
        void next();
        throw new Error("Too slow.");
      },
    ],
    ["starts it twice at the same time", async (_, next) => (await Promise.all([next(), next()]))[0]],
  ])("can't say that a call which still runs didn't: it %s", async (_, middleware) => {
    let effects = 0;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const execute = async () => {
      effects += 1;
      await ended;
      return {};
    };
    const pay = tool({ name: "pay", description: "Pays.", parameters: { type: "object" }, execute });
    const { tools } = await bench({ tools: [pay], use: [middleware] });
    const call = { callId: "1", name: "pay", arguments: {} };
    expect(await tools.run([call])).toMatchObject([{ status: "unknown" }]);
    await eventually(() => expect(effects).toBe(1));
    end();
    expect(await tools.run([call])).toMatchObject([{ status: "unknown" }]);
    expect(effects).toBe(1);
  });

  test.each<[string, (next: () => Promise<unknown>) => Promise<Ending>]>([
    ["returned", async () => ({ status: "not_run", text: "Not now." })],
    ["threw", () => Promise.reject(new Error("Not now."))],
    [
      "threw before it returned a promise",
      () => {
        throw new Error("Not now.");
      },
    ],
  ])("can't start a call that has ended: the function %s", async (_, end) => {
    const late: (() => Promise<unknown>)[] = [];
    const noted: ToolMiddleware = (_call, next) => {
      late.push(next);
      return next();
    };
    const { tools, executions } = await wrapped(noted, (_call, next) => {
      late.push(next);
      return end(next);
    });
    expect(await tools.run([issue()])).toMatchObject([{ status: "not_run" }]);
    const [outer, inner] = late;
    expect(outer).toThrow("called next() twice");
    await expect(inner?.()).rejects.toThrow("toolset: a function in use called next() after the call had ended.");
    expect(executions()).toBe(0);
  });

  test("can't start a call from a function that threw while another one handles the error", async () => {
    let late: (() => Promise<unknown>) | undefined;
    const refused: unknown[] = [];
    const { tools, executions } = await wrapped(
      async (_, next) => {
        await next().catch(() => undefined);
        await late?.().catch((error: unknown) => refused.push(error));
        return { status: "not_run", text: "Not now." };
      },
      async (_, next) => {
        late = next;
        throw new Error("broken");
      },
    );
    expect(await tools.run([issue()])).toMatchObject([{ status: "not_run" }]);
    expect(refused).toEqual([expect.any(TypeError)]);
    expect(executions()).toBe(0);
  });

  test("can't start a call inside of a function that has ended", async () => {
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let inner: Promise<unknown> | undefined;
    const { tools, executions } = await wrapped(
      (_, next) => {
        inner = next();
        throw new Error("broken");
      },
      async (_, next) => {
        await woken;
        return next();
      },
    );
    expect(await tools.run([issue()])).toMatchObject([{ status: "not_run" }]);
    wake();
    await expect(inner).rejects.toThrow("after the call had ended");
    expect(executions()).toBe(0);
  });

  test("must return a result", async () => {
    // @ts-expect-error: a JavaScript program may forget it.
    const { tools } = await wrapped(async (_, next) => void (await next()));
    expect(await tools.run([issue()])).toMatchObject([{ status: "unknown", error: expect.any(TypeError) }]);
  });

  test("must return labels as a list, and otherwise only its call fails", async () => {
    const { tools } = await bench({
      ...{ policy: policy([allow({}), label("untrusted", { tools: [COUNT_WORDS] })]), executions: memoryExecutions() },
      ...{ conversationId: "c", isNewConversation: true },
      use: [
        (call, next) =>
          call.callId === "1" ? next() : { status: "succeeded", text: "cached", labels: "untrusted" as never },
      ],
    });
    const [result, other] = await tools.run([issue(), issue("2")]);
    expect(result?.status).toBe("succeeded");
    expect(other).toMatchObject({ status: "not_run", error: expect.any(TypeError) });
  });

  test("wraps local tools, and handles that they return stay handles", async () => {
    const find = tool({ name: "find", description: "Finds.", parameters: { type: "object" }, execute: () => ({}) });
    const file = { s3url: "https://storage.example.com/secret", name: "a.txt" };
    const use: ToolMiddleware[] = [async (_, next) => ({ ...(await next()), data: file })];
    const { tools } = await bench({ tools: [find, COUNT_WORDS], use });
    const [result] = await tools.run([{ callId: "1", name: "find", arguments: {} }]);
    expect(result?.text).toBe('{"file":"1/file_1","name":"a.txt"}');
  });

  test("must be functions", async () => {
    const error = await rejectionOf(ConfigError, bench({ use: ["log"] as never }));
    expect(error.message).toBe("toolset: use must be an array of functions.");
  });
});
