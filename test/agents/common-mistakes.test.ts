import { describe, expect, onTestFinished, test, vi } from "vitest";
import { memoryExecutions, toolset } from "../../src/agents/index.js";
import { allow, approvals, ask, budget, customPolicy, deny, policy } from "../../src/agents/policy-entry.js";
import { ConfigError, type Svc } from "../../src/index.js";
import { emulated, rejectionOf } from "../support/client.js";
import { USER } from "./support.js";

/** Input that the compiler rejects, and a program in JavaScript passes anyway. */
const untyped = (value: unknown) => value as never;

const make = toolset as (...args: unknown[]) => Promise<unknown>;

const LIST = "run needs a list of { callId, name, arguments }";
const ADAPTER = "For a model's calls, use the run of an adapter, such as openai(tools).";

describe("a toolset says what was meant by", () => {
  test.each<[string, (svc: Svc) => PromiseLike<unknown>, string]>([
    [
      "the client among the options",
      (svc) => make({ svc, userId: USER }),
      "toolset: pass svc itself, and the options after it: toolset(svc, { userId, … }).",
    ],
    [
      "the client's tools",
      (svc) => make(svc.tools, { userId: USER }),
      "toolset: pass the client itself, not its tools: toolset(svc, { userId, … }).",
    ],
    [
      "a session that wasn't awaited",
      (svc) => make(svc.toolRouter.create({ user_id: USER })),
      "toolset: await the client or the session before you pass it.",
    ],
    [
      "the emulator",
      () => make(emulated().emulator, { userId: USER, toolkits: ["textkit"] }),
      "toolset: pass a client, not the emulator: new Svc(emulator.connection).",
    ],
    ["nothing", () => make(null), "toolset: pass a client or a session: toolset(svc, { userId, … })."],
    [
      "a misspelled toolkit",
      (svc) => make(svc, { userId: USER, toolkits: ["githb", "textkit"] }),
      "toolset: no toolkit githb. Did you mean github?",
    ],
    [
      "a misspelled toolkit, with tags",
      (svc) => make(svc, { userId: USER, toolkits: ["slak"], tags: ["readOnlyHint"] }),
      "toolset: no toolkit slak. Did you mean slack?",
    ],
  ])("%s", async (_mistake, create, message) => {
    const { svc, emulator } = emulated();
    const error = await rejectionOf(ConfigError, create(svc));
    expect(error.message).toBe(message);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toEqual([]);
  });

  test("a 400 that has another reason", async () => {
    const { svc, emulator } = emulated();
    emulator.faults.next("tools.list", { status: 400 });
    await expect(toolset(svc, { userId: USER, toolkits: ["textkit"] })).rejects.toMatchObject({ status: 400 });
  });

  test.each<[string, unknown, string]>([
    ["id", { id: "1", name: "A" }, `calls[0]: it has id, not callId. ${LIST}. ${ADAPTER}`],
    ["call_id", { call_id: "1", name: "A" }, `calls[0]: it has call_id, not callId. ${LIST}. ${ADAPTER}`],
    ["toolName", { callId: "1", toolName: "A" }, `calls[0]: it has toolName, not name. ${LIST}. ${ADAPTER}`],
    ["no name", { callId: "1" }, `calls[0]: it has no name. ${LIST}. ${ADAPTER}`],
    ["a number as id", { callId: 1, name: "A" }, `calls[0]: callId isn't a string. ${LIST}. ${ADAPTER}`],
    ["args", { callId: "1", name: "A", args: {} }, `calls[0]: it has args, not arguments. ${LIST}. ${ADAPTER}`],
    ["nothing", undefined, `calls[0]: it has no callId. ${LIST}. ${ADAPTER}`],
  ])("a call with %s", async (_mistake, call, message) => {
    const { svc } = emulated();
    const tools = await toolset(svc, { userId: USER, toolkits: ["textkit"] });
    expect((await rejectionOf(ConfigError, tools.run(untyped([call])))).message).toBe(`toolset: ${message}`);
    const one = await rejectionOf(ConfigError, tools.run(untyped({ callId: "1", name: "A" })));
    expect(one.message).toBe(`toolset: ${LIST}, even for one call.`);
  });
});

describe("a toolset warns once per policy", () => {
  const gate = approvals({ keys: [{ id: "1", secret: "s".repeat(32) }] });
  const NONE = "toolset: the policy has no rule that allows calls, so none runs. Add one, such as allow(";
  const ASKS = "toolset: the policy asks for approvals, but the toolset has none, so those calls never run.";

  test.each([
    ["without rules", policy([]), {}, NONE],
    ["that only denies and counts", policy([deny({ tags: ["a"] }), budget({ maxCalls: 5 })]), {}, NONE],
    ["that asks, without approvals", policy([allow({}), ask({ tools: ["TEXTKIT_REVERSE"] })]), {}, ASKS],
    ["that asks", policy([ask({ toolkits: ["textkit"] })]), { approvals: gate, executions: memoryExecutions() }, ""],
    ["that asks only about other tools", policy([ask({ toolkits: ["slack"] })], { allowUnknownNames: true }), {}, ""],
    ["that allows", policy([allow({ toolkits: ["textkit"] })]), {}, ""],
    ["of its own kind", customPolicy({ digest: "1", decide: () => ({ outcome: "deny", reason: "No." }) }), {}, ""],
  ])("%s", async (_kind, guardrails, options, warning) => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const { svc } = emulated();
    for (let times = 0; times < 2; times++) {
      await toolset(svc, { userId: USER, toolkits: ["textkit"], policy: guardrails, ...options });
    }
    expect(warn.mock.calls).toEqual(warning === "" ? [] : [[expect.stringContaining(warning)]]);
  });
});
