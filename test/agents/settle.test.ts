import { expect, test } from "vitest";
import {
  type AgentEvent,
  memoryExecutions,
  type ToolCall,
  type ToolMiddleware,
  toolset,
} from "../../src/agents/index.js";
import { allow, label, policy } from "../../src/agents/policy-entry.js";
import { createEmulator, ProviderError } from "../../src/emulator/index.js";
import { Svc, ValidationError } from "../../src/index.js";

const TOOL = "GITHUB_CREATE_AN_ISSUE";
const CALL = {
  callId: "call_1",
  name: TOOL,
  arguments: { owner: "octo-org", repo: "hello-world", title: "It works" },
};

function setUp() {
  const emulator = createEmulator();
  const svc = new Svc({ ...emulator.connection, maxRetries: 0 });
  const tools = (options = {}) => toolset(svc, { userId: "user-4711", tools: [TOOL], settle: true, ...options });
  return { emulator, svc, tools };
}

test("gives the model the result of a call whose response was lost", async () => {
  const { emulator, tools } = setUp();
  const { run } = await tools();
  emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
  const [result] = await run([CALL]);
  expect(result).toMatchObject({ status: "succeeded", data: { title: "It works" } });
  expect(await run([CALL])).toMatchObject([{ status: "succeeded", isReplay: true, text: result?.text }]);
  expect(emulator.tools.calls(TOOL)).toHaveLength(1);
});

test("gives the model the tool's error if the call failed", async () => {
  const { emulator, tools } = setUp();
  const { run } = await tools();
  emulator.tools.stub(TOOL, new ProviderError(422, "The repository is archived"));
  emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
  const [result] = await run([CALL]);
  expect(result?.status).toBe("failed");
  expect(result?.text).toContain("The repository is archived");
});

test("leaves the outcome unknown if the log doesn't tell, and never runs the call again", async () => {
  const { emulator, tools } = setUp();
  const { run } = await tools({ settle: { deadlineMs: 20, pollMs: 5 } });
  emulator.faults.next("tools.execute", { connection: "reset", when: "before" });
  expect(await run([CALL])).toMatchObject([{ status: "unknown" }]);
  expect(await run([CALL])).toMatchObject([{ status: "unknown", isReplay: true }]);
  expect(emulator.tools.calls(TOOL)).toHaveLength(0);
});

test("leaves the outcome unknown if the search of the log fails, even if its error says that nothing was sent", async () => {
  const { emulator, svc } = setUp();
  const settle = () => Promise.reject(new ValidationError("tools.settle", "a wrong option"));
  const tools = Object.assign(Object.create(svc.tools), { settle });
  const { run } = await toolset({ ...svc, tools }, { userId: "user-4711", tools: [TOOL], settle: true });
  emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
  expect(await run([CALL])).toMatchObject([{ status: "unknown" }]);
});

test("rejects a wrong option of settle when the toolset is created", async () => {
  const { tools } = setUp();
  await expect(tools({ settle: { exclusiv: true, pollMs: 0 } })).rejects.toThrow(
    "toolset: Unknown option settle.exclusiv. Did you mean exclusive? settle.pollMs must be a number from 1",
  );
});

test("says that a call didn't run once it would be in the log, and then runs it", async () => {
  const { emulator, tools } = setUp();
  const { run } = await tools({ settle: { loggedWithinMs: 1, pollMs: 5 } });
  emulator.faults.next("tools.execute", { connection: "reset", when: "before" });
  expect(await run([CALL])).toMatchObject([{ status: "not_run" }]);
  expect(await run([CALL])).toMatchObject([{ status: "succeeded", isReplay: false }]);
  expect(emulator.tools.calls(TOOL)).toHaveLength(1);
});

/** A service that has run the call, and the records of a process that ended before it could record the result. */
async function setUpLost(call: ToolCall = CALL) {
  const { tools, emulator } = setUp();
  const executions = memoryExecutions();
  const dying = { ...executions, finish: () => new Promise<void>(() => undefined) };
  const signal = new AbortController();
  const first = await tools({ tools: [call.name], executions: dying, settle: false });
  const running = first.run([call], { signal: signal.signal });
  await expect.poll(() => emulator.tools.calls(call.name).length).toBe(1);
  signal.abort();
  await running.catch(() => undefined);
  return { executions, emulator, tools: (options = {}) => tools({ tools: [call.name], executions, ...options }) };
}

test("settles a call that another process started and didn't finish", async () => {
  const { tools, emulator } = await setUpLost();
  expect(await (await tools()).run([CALL])).toMatchObject([{ status: "succeeded", isReplay: true }]);
  const without = await tools({ settle: false });
  expect(await without.run([CALL])).toMatchObject([{ status: "succeeded", isReplay: true }]);
  expect(emulator.tools.calls(TOOL)).toHaveLength(1);
});

test("never says that a call which it has found didn't run, even if its result can't be recorded", async () => {
  const { executions, tools, emulator } = await setUpLost();
  const failing = { ...executions, finish: () => Promise.reject(new Error("The store is down.")) };
  const events: AgentEvent[] = [];
  const { run } = await tools({ executions: failing, onEvent: (event: AgentEvent) => events.push(event) });
  expect(await run([CALL])).toMatchObject([{ status: "succeeded", data: { title: "It works" }, error: undefined }]);
  expect(events.map(({ type }) => type)).toEqual(["record_failed", "finished"]);
  expect(await (await tools()).run([CALL])).toMatchObject([{ status: "succeeded" }]);
  expect(emulator.tools.calls(TOOL)).toHaveLength(1);
});

test("looks up a call that only reads again, if the log couldn't be read before", async () => {
  const read = {
    callId: "call_1",
    name: "GITHUB_LIST_REPOSITORY_ISSUES",
    arguments: { owner: "octo-org", repo: "hello-world" },
  };
  const { tools, emulator } = await setUpLost(read);
  emulator.faults.next("logs.listToolExecutions", { status: 403 });
  const { run } = await tools({ trustHints: true });
  expect(await run([read])).toMatchObject([{ status: "unknown", isReplay: true }]);
  expect(await run([read])).toMatchObject([{ status: "succeeded", isReplay: true }]);
  expect(emulator.tools.calls(read.name)).toHaveLength(1);
});

test("passes a result that it has found through middleware, and records what the model reads", async () => {
  const { tools } = await setUpLost();
  const hide: ToolMiddleware = async (_, next) => ({ ...(await next()), data: { hidden: true }, labels: ["seen"] });
  const rules = [allow({}), label("seen", { tools: ["OTHER"] })];
  const options = { use: [hide], policy: policy(rules, { allowUnknownNames: true }) };
  const hidden = { status: "succeeded", text: '{"hidden":true}', labels: ["seen"], isReplay: true };
  expect(await (await tools(options)).run([CALL])).toMatchObject([hidden]);
  expect(await (await tools({ ...options, use: [] })).run([CALL])).toMatchObject([hidden]);
});

const BROKEN = new Error("It is broken.");

test.each<[string, ToolMiddleware, unknown]>([
  ["keeps the call from running", async () => ({ status: "not_run", text: "Not now." }), undefined],
  ["throws before it", () => Promise.reject(BROKEN), BROKEN],
  [
    "throws after it",
    async (_, next) => {
      await next();
      throw BROKEN;
    },
    BROKEN,
  ],
])("leaves the outcome unknown if middleware %s", async (_, middleware, error) => {
  const { tools, emulator } = await setUpLost();
  const { run } = await tools({ use: [middleware] });
  expect(await run([CALL])).toMatchObject([{ status: "unknown", isReplay: true, error }]);
  expect(await (await tools()).run([CALL])).toMatchObject([{ status: "succeeded" }]);
  expect(emulator.tools.calls(TOOL)).toHaveLength(1);
});

test("says why a call of a killed process stays unknown, and doesn't run it", async () => {
  const { emulator, svc, tools } = setUp();
  const executions = memoryExecutions();
  const dying = { ...executions, finish: () => new Promise<void>(() => undefined) };
  emulator.faults.next("tools.execute", { connection: "hang" });
  const signal = new AbortController();
  const running = (await tools({ executions: dying, settle: false })).run([CALL], { signal: signal.signal });
  await expect.poll(() => emulator.requests.filter(({ path }) => path.includes("/execute/")).length).toBe(1);
  signal.abort();
  await running.catch(() => undefined);
  const settle = { loggedWithinMs: 1, deadlineMs: 20, pollMs: 1 };
  const second = await toolset(svc, { userId: "user-4711", tools: [TOOL], executions, settle });
  const [result] = await second.run([CALL]);
  expect(result).toMatchObject({ status: "unknown", isReplay: true });
  expect(String(result?.error)).toContain("what became of a call that another run has started: not_in_log.");
  expect(emulator.tools.calls(TOOL)).toHaveLength(0);
});

test("settles a session's call", async () => {
  const { emulator, svc } = setUp();
  const session = await svc.toolRouter.create({ user_id: "user-4711", preload: { tools: [TOOL] } });
  const { run } = await toolset(session, { tools: [TOOL], settle: true });
  emulator.faults.next("toolRouter.execute", { connection: "reset", when: "after" });
  expect(await run([CALL])).toMatchObject([{ status: "succeeded", data: { title: "It works" } }]);
});

test("rejects a client that can't read the log", async () => {
  const { svc } = setUp();
  const client = { tools: { list: svc.tools.list.bind(svc.tools), execute: svc.tools.execute.bind(svc.tools) } };
  await expect(toolset(client, { userId: "u", tools: [TOOL], settle: true, accounts: "newest" })).rejects.toThrow(
    "settle needs",
  );
});
