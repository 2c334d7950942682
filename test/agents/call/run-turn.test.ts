import { describe, expect, test } from "vitest";
import { AuthRequiredError, type ExecutionStore, memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { compileToolset } from "../../../src/agents/schema/index.js";
import { argumentValidator } from "../../../src/contract/arguments.js";
import { ConfigError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, deciding, ISSUE, USER } from "../support.js";

const issue = (callId: string, args: unknown = ISSUE) => ({ callId, name: CREATE_ISSUE, arguments: args });

describe("a call", () => {
  test("runs under the toolset's user and the version that the model saw", async () => {
    const { tools, svc, events } = await bench();
    const [result] = await tools.run([issue("call_1", JSON.stringify(ISSUE))]);
    expect(result).toMatchObject({ callId: "call_1", status: "succeeded", data: { title: "From a model" } });
    expect(JSON.parse(result?.text ?? "")).toEqual(result?.data);
    const { logs } = await svc.logs.listToolExecutions({});
    expect(JSON.stringify(logs)).toMatch(/user-4711/);
    expect(result?.tool?.version).toBe("20251023_00");
    expect(events.map(({ type }) => type)).toEqual(["started", "finished"]);
  });

  test("has its result in order, while the calls of its turn run at the same time", async () => {
    const { tools } = await bench();
    const calls = ["a", "a b", "a b c"].map((text, index) => ({
      callId: `call_${index}`,
      name: COUNT_WORDS,
      arguments: { text },
    }));
    const results = await tools.run(calls);
    expect(results.map(({ data }) => data)).toMatchObject([{ words: 1 }, { words: 2 }, { words: 3 }]);
  });

  test("runs at the same time as the others of its turn", async () => {
    let arrived = 0;
    let release: () => void = () => undefined;
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { tools } = await bench({
      policy: deciding(async () => {
        arrived += 1;
        if (arrived === 3) release();
        await all;
        return { outcome: "allow" };
      }),
    });
    const results = await tools.run([issue("1"), issue("2"), issue("3")]);
    expect(results.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  });

  test("treats null as absent for an optional argument, if it was compiled for a model", async () => {
    const { tools } = await bench();
    const call = issue("1", { ...ISSUE, body: null });
    expect(await tools.run([call])).toMatchObject([{ status: "not_run", mismatches: [{ path: "body" }] }]);
    expect(await compileToolset(tools, "json-schema").run([call])).toMatchObject([{ status: "succeeded" }]);
  });

  test("is limited by the deadline of its turn", async () => {
    const { tools, emulator } = await bench();
    emulator.faults.next("tools.execute", { connection: "hang" });
    const [result] = await tools.run([issue("1")], { deadlineMs: 20 });
    expect(result).toMatchObject({ status: "unknown", error: { option: "deadlineMs" } });
  });

  test.each([
    ["broken JSON", issue("1", '{"owner": "octo-org", "repo'), "aren't valid JSON"],
    ["arguments that aren't an object", issue("1", "[1]"), "must be a JSON object"],
    ["a date as its arguments", issue("1", new Date(0)), "must be a JSON object"],
    ["a wrong type", issue("1", { ...ISSUE, title: 7 }), "title: expected a string, received number"],
    ["a missing argument", issue("1", { owner: "octo-org", title: "x" }), "repo: expected a string, received missing"],
    ["an unknown tool", { callId: "1", name: "GITHUB_CREATE_ISSUE", arguments: {} }, `Did you mean ${CREATE_ISSUE}?`],
    ["a call that was cut off", { ...issue("1"), isTruncated: true }, "cut off"],
    ["a staged file's key", issue("1", { ...ISSUE, body: "x", labels: [], extra: { s3key: "other/user" } }), "s3key"],
  ])("with %s gets an error as its result and runs nothing", async (_, call, text) => {
    const { tools, executions, events } = await bench();
    const [result] = await tools.run([call]);
    expect(result).toMatchObject({ status: "not_run" });
    expect(result?.text).toContain(text);
    expect(result?.text).toContain("nothing ran");
    expect(executions()).toBe(0);
    expect(events).toMatchObject([{ type: "finished", status: "not_run" }]);
  });

  test("lists the existing tools if its name is unknown", async () => {
    const { tools } = await bench();
    const [result] = await tools.run([{ callId: "1", name: "parallel", arguments: {} }]);
    const nothing = { data: undefined, error: undefined, pendingApproval: undefined, authRequired: undefined };
    expect(result).toStrictEqual({
      ...{
        callId: "1",
        tool: undefined,
        status: "not_run",
        files: [],
        labels: [],
        mismatches: [],
        isReplay: false,
        ...nothing,
      },
      text: expect.stringContaining(`${CREATE_ISSUE}, ${COUNT_WORDS}`),
    });
  });

  test("is checked completely by an injected validator", async () => {
    const short = tool({
      name: "short",
      description: "Takes few characters.",
      parameters: { type: "object", properties: { text: { type: "string", maxLength: 3 } } },
      execute: () => "done",
    });
    const call = { callId: "1", name: "short", arguments: { text: "four" } };
    const checked = await bench({ tools: [short], validateArguments: argumentValidator() });
    expect(await checked.tools.run([call])).toMatchObject([{ status: "not_run", mismatches: [{ path: "text" }] }]);
    const structural = await bench({ tools: [short] });
    expect(await structural.tools.run([call])).toMatchObject([{ status: "succeeded" }]);
  });

  test("reports a failure of the tool to the model", async () => {
    const { tools } = await bench();
    const [result] = await tools.run([issue("1", { ...ISSUE, repo: "nowhere" })]);
    expect(result).toMatchObject({ status: "failed" });
    expect(result?.text).toContain("Not Found");
  });

  test("reports that it may have run if its response was lost", async () => {
    const { tools, emulator, events } = await bench();
    emulator.faults.next("tools.execute", { status: 502, when: "after" });
    const [result] = await tools.run([issue("1")]);
    expect(result?.status).toBe("unknown");
    expect(result?.text).toContain("It may have run");
    expect(events.at(-1)).toMatchObject({ type: "finished", status: "unknown", error: expect.any(Error) });
  });
});

describe("a tool that ran", () => {
  test.each([
    ["an error without a message", () => Object.assign(new Error("x"), { message: undefined })],
    ["an object without a prototype", () => Object.create(null)],
  ])("may have had its effect, even if it fails with %s", async (_what, failure) => {
    let effects = 0;
    const pay = tool({
      name: "pay",
      description: "Pays.",
      parameters: { type: "object" },
      execute: () => {
        effects += 1;
        throw failure();
      },
    });
    const { tools } = await bench({ tools: [pay] });
    const call = { callId: "1", name: "pay", arguments: {} };
    expect(await tools.run([call])).toMatchObject([{ status: "unknown" }]);
    expect(await tools.run([call])).toMatchObject([{ status: "unknown" }]);
    expect(effects).toBe(1);
  });
});

test("an option holds wherever its object has it from", async () => {
  const mismatch = { path: "text", expected: "another text", received: "string" };
  const defaults = { validateArguments: { check: () => [mismatch] }, tools: [COUNT_WORDS], userId: USER };
  const { svc, executions } = await bench();
  const tools = await toolset(svc, Object.create(defaults) as typeof defaults);
  const call = { callId: "1", name: COUNT_WORDS, arguments: { text: "a" } };
  expect(await tools.run([call])).toMatchObject([{ status: "not_run", mismatches: [mismatch] }]);
  expect(executions()).toBe(0);
});

describe("the decision", () => {
  test("is made before the effect, and a denied call runs nothing", async () => {
    const seen: unknown[] = [];
    const { tools, executions } = await bench({
      policy: deciding((execution) => {
        seen.push(execution);
        return { outcome: "deny", reason: "Issues are frozen." };
      }),
    });
    const [result] = await tools.run([issue("1")]);
    expect(seen).toMatchObject([{ callId: "1", arguments: ISSUE, userId: "user-4711", tool: { name: CREATE_ISSUE } }]);
    expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("Issues are frozen.") });
    expect(executions()).toBe(0);
  });

  test("can't change the arguments", async () => {
    const { tools, executions } = await bench({
      policy: deciding(({ arguments: args }) => {
        Object.assign(args, { owner: "someone-else" });
        return { outcome: "allow" };
      }),
    });
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "not_run", error: expect.any(TypeError) }]);
    expect(executions()).toBe(0);
  });

  test("denies unless it's a clear yes", async () => {
    const policy = deciding((() => undefined) as never);
    const { tools, executions } = await bench({ policy });
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });

  test("denies if it throws", async () => {
    const { tools, executions } = await bench({ policy: deciding(() => Promise.reject(new Error("no rules"))) });
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "not_run", error: expect.any(Error) }]);
    expect(executions()).toBe(0);
  });
});

describe("a call's id", () => {
  test("runs once, and a second call gets the recorded result", async () => {
    const executionStore = memoryExecutions();
    const first = await bench({ executions: executionStore });
    const [ran] = await first.tools.run([issue("call_1")]);
    // Another process with the same store.
    const second = await bench({ executions: executionStore });
    const [replayed] = await second.tools.run([issue("call_1")]);
    expect(replayed).toMatchObject({ status: "succeeded", text: ran?.text, isReplay: true });
    expect([first.executions(), second.executions()]).toEqual([1, 0]);
  });

  test.each([
    ["succeeded", {}],
    ["unknown", { finish: () => Promise.reject(new Error("the process died")) }],
  ])("that ran in another version doesn't run again, and is %s", async (status, failing: Partial<ExecutionStore>) => {
    const executionStore = memoryExecutions();
    const versions = { github: "20250905_00" };
    const first = await bench({ executions: { ...executionStore, ...failing }, versions });
    await first.tools.run([issue("call_1")]);
    const second = await bench({ executions: executionStore });
    expect(second.tools.tools[0]?.version).not.toBe(first.tools.tools[0]?.version);
    expect(await second.tools.run([issue("call_1")])).toMatchObject([{ status, isReplay: true }]);
    expect(second.executions()).toBe(0);
  });

  test("runs once if it is called twice at the same time", async () => {
    const { tools, executions } = await bench();
    const results = await tools.run([issue("call_1"), issue("call_1")]);
    expect(results.filter(({ isReplay }) => isReplay)).toHaveLength(1);
    expect(executions()).toBe(1);
  });

  test("that is repeated in a turn has the same result twice, however long the call takes", async () => {
    const slow = tool({
      name: "slow",
      description: "Takes a while.",
      parameters: { type: "object" },
      execute: async () => {
        for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
        return "done";
      },
    });
    const { tools } = await bench({ tools: [slow] });
    const call = { callId: "1", name: "slow", arguments: {} };
    expect(await tools.run([call, call])).toMatchObject([
      { status: "succeeded", text: '"done"', isReplay: false },
      { status: "succeeded", text: '"done"', isReplay: true },
    ]);
  });

  test("that was started and never finished has an unknown outcome, and never runs again", async () => {
    const executionStore = memoryExecutions();
    const crashed: ExecutionStore = { ...executionStore, finish: () => Promise.reject(new Error("the process died")) };
    const first = await bench({ executions: crashed });
    await first.tools.run([issue("call_1")]);
    expect(first.events.map(({ type }) => type)).toContain("record_failed");
    const second = await bench({ executions: executionStore });
    expect(await second.tools.run([issue("call_1")])).toMatchObject([{ status: "unknown", isReplay: true }]);
    expect(second.executions()).toBe(0);
  });

  test("runs again after a call that provably didn't run", async () => {
    const { tools, emulator } = await bench();
    emulator.faults.next("tools.execute", { status: 400 });
    expect(await tools.run([issue("call_1")])).toMatchObject([{ status: "not_run" }]);
    expect(await tools.run([issue("call_1")])).toMatchObject([{ status: "succeeded", isReplay: false }]);
  });

  test("runs although another run of it was first, if nothing of that one ran", async () => {
    let asked = 0;
    let release = () => {};
    const bothAsked = new Promise<void>((resolve) => (release = resolve));
    const policy = deciding(async () => {
      asked += 1;
      if (asked === 2) release();
      await bothAsked;
      return { outcome: "allow" };
    });
    const { tools, emulator } = await bench({ policy });
    emulator.faults.next("tools.execute", { status: 400 });
    const runs = [tools.run([issue("call_1")]), tools.run([issue("call_1")])];
    const statuses = (await Promise.all(runs)).flat().map(({ status, isReplay }) => `${status} ${isReplay}`);
    expect(statuses.sort()).toEqual(["not_run false", "succeeded false"]);
  });

  test("of another call runs nothing", async () => {
    const { tools, executions } = await bench();
    await tools.run([issue("call_1")]);
    const [result] = await tools.run([issue("call_1", { ...ISSUE, title: "Another" })]);
    expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("did not run") });
    expect(executions()).toBe(1);
  });

  test("of another user or conversation is another id", async () => {
    const executionStore = memoryExecutions();
    const one = await bench({ executions: executionStore, conversationId: "conversation-1" });
    const other = await bench({ executions: executionStore, conversationId: "conversation-2" });
    await one.tools.run([issue("call_1")]);
    expect(await other.tools.run([issue("call_1")])).toMatchObject([{ isReplay: false }]);
  });

  test("runs nothing while its store fails", async () => {
    const broken: ExecutionStore = { ...memoryExecutions(), start: () => Promise.reject(new Error("no connection")) };
    const { tools, executions } = await bench({ executions: broken });
    expect(await tools.run([issue("call_1")])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });
});

describe("a missing account", () => {
  test("is reported to the model by default", async () => {
    const { tools } = await bench({ userId: "nobody" });
    const [result] = await tools.run([issue("1")]);
    expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("no connected github account") });
  });

  test("that the program has chosen is its own problem, which the user can't solve", async () => {
    const { tools } = await bench({ accounts: { github: "ca_typo" }, onAuthRequired: "throw" });
    const [result] = await tools.run([issue("1")]);
    expect(result).toMatchObject({ status: "not_run", error: { condition: "no_connected_account" } });
    expect(result?.text).toBe(`${CREATE_ISSUE} did not run: the program had a problem. Tell the user.`);
    expect(String(result?.error)).toContain("ca_typo");
  });

  test("is passed to the program once per turn, with a link to connect", async () => {
    const asked: string[] = [];
    const { tools, emulator } = await bench({
      userId: "nobody",
      onAuthRequired: async ({ reason, toolkit, linkUrl: link }) => {
        asked.push(`${reason} ${toolkit}`);
        return `Ask the user to open ${await link({ callbackUrl: "https://app.example.com/done" })}`;
      },
    });
    const results = await tools.run([issue("1"), issue("2")]);
    expect(asked).toEqual(["not_connected github"]);
    expect(results[1]?.text).toMatch(/^Ask the user to open http/);
    expect(emulator.requests.filter(({ operation }) => operation === "connectedAccounts.link")).toHaveLength(1);
  });

  test("of a session's user is connected through the session's own page", async () => {
    const { svc } = await bench();
    const session = await svc.toolRouter.create({ user_id: "nobody", preload: { tools: [CREATE_ISSUE] } });
    const links: string[] = [];
    const tools = await toolset(session, {
      onAuthRequired: async ({ linkUrl: link }) => {
        links.push(await link());
      },
    });
    const [result] = await tools.run([issue("1")]);
    expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("no connected github account") });
    expect(links).toEqual([expect.stringMatching(/^http/)]);
  });

  test("is thrown once all calls have ended, and they can be run again", async () => {
    const { tools, svc, executions } = await bench({ userId: "user-expired", onAuthRequired: "throw" });
    const calls = [issue("1"), { callId: "2", name: COUNT_WORDS, arguments: { text: "a b" } }];
    const error = await rejectionOf(AuthRequiredError, tools.run(calls));
    expect(error).toMatchObject({ reason: "expired", toolkit: "github", userId: "user-expired" });
    expect(error.results.map(({ status }) => status)).toEqual(["not_run", "succeeded"]);
    expect(await error.linkUrl()).toMatch(/^http/);
    expect(executions()).toBe(2);
    const account = (await svc.connectedAccounts.list({ user_ids: ["user-expired"] })).items.find(
      ({ status }) => status === "EXPIRED",
    );
    expect(account).toBeDefined();
  });
});

test.each([[undefined], [issue("1")], [[{}]], [[{ name: CREATE_ISSUE, arguments: ISSUE }]]])(
  "run rejects %j, which isn't a list of calls with ids",
  async (calls) => {
    const { tools, emulator } = await bench();
    const before = emulator.requests.length;
    // @ts-expect-error: a JavaScript program may pass anything.
    const error = await rejectionOf(ConfigError, tools.run(calls));
    expect(error.message).toContain("run needs a list of { callId, name, arguments }");
    expect(emulator.requests).toHaveLength(before);
  },
);
