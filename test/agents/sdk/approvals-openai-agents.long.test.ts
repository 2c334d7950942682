import { Agent, OpenAIProvider, Runner, RunState, setTracingDisabled, tool } from "@openai/agents";
import { describe, expect, test } from "vitest";
import { openaiAgents } from "../../../src/agents/adapters/openai-agents.js";
import { memoryExecutions, type PendingApproval } from "../../../src/agents/index.js";
import { type Gated, gated } from "../approvals/support.js";
import { COUNT_WORDS, CREATE_ISSUE, deciding, ISSUE, USER } from "../support.js";
import { startModel } from "./model-server.js";

setTracingDisabled(true);
const model = await startModel();
const nestedModel = await startModel();

/** What the model read about a call when it was asked again. */
const answerTo = (callId: string) => model.requests[1]?.outputs.find(({ id }) => id === callId)?.text;

describe.each([
  ["Responses", true, false],
  ["Responses, streamed", true, true],
  ["Chat Completions", false, false],
  ["Chat Completions, streamed", false, true],
])("approvals in the OpenAI Agents SDK over %s", (_, useResponses, stream) => {
  const modelProvider = new OpenAIProvider({ baseURL: `${model.url}/v1`, apiKey: "test", useResponses });
  const runner = new Runner({ modelProvider, tracingDisabled: true });

  /** A program: its agent, what it has saved, and the tokens that it was given. */
  const program = async (executions = memoryExecutions()) => {
    const saved: PendingApproval[] = [];
    const tokens: string[] = [];
    const made: Gated = await gated({ executions }, { onRequest: (pending) => void saved.push(pending) });
    const agent = new Agent({
      name: "Helper",
      model: "m",
      tools: openaiAgents(made.tools, { tool }, { approvals: tokens }),
    });
    const run = async (input: string | RunState<unknown, typeof agent>) => {
      if (!stream) return runner.run(agent, input);
      const result = await runner.run(agent, input, { stream: true });
      for await (const _ of result.toStream());
      await result.completed;
      return result;
    };
    return { ...made, saved, tokens, agent, run };
  };
  const script = (ids = ["call_a", "call_b"]) =>
    model.script({
      calls: [
        { id: ids[0] ?? "", name: CREATE_ISSUE, arguments: ISSUE },
        { id: ids[1] ?? "", name: COUNT_WORDS, arguments: { text: "one two" } },
      ],
    });

  test.each([
    ["", ["call_a", "call_b"]],
    [", with ids that start again in each turn", ["call_0", "call_1"]],
  ])("pause the run, whose state another process resumes with the token%s", async (_, ids) => {
    const [issueId = ""] = ids;
    const executions = memoryExecutions();
    const first = await program(executions);
    script(ids);
    const paused = await first.run("Do it.");
    expect(paused.interruptions.map(({ rawItem }) => "callId" in rawItem && rawItem.callId)).toEqual([issueId]);
    expect(first.executions()).toBe(1);
    const stored = JSON.stringify({ state: paused.state.toString(), pending: first.saved });

    const second = await program(executions);
    const { state, pending }: { state: string; pending: PendingApproval[] } = JSON.parse(stored);
    for (const one of pending) second.tokens.push(await second.gate.approve(one, { approver: "ada" }));
    const restored = await RunState.fromString(second.agent, state);
    for (const item of restored.getInterruptions()) restored.approve(item);
    const resumed = await second.run(restored);
    expect(resumed.finalOutput).toBe("done");
    expect(second.executions()).toBe(1);
    expect(JSON.parse(answerTo(issueId) ?? "")).toMatchObject({ title: ISSUE.title });
    // The sibling ran before, and isn't run again.
    expect(second.events.filter(({ type }) => type === "started")).toMatchObject([
      { tool: { name: CREATE_ISSUE }, callId: pending[0]?.call.callId },
    ]);
  });

  test("a state that is approved without a token runs nothing", async () => {
    const { run, agent, executions, saved } = await program();
    script();
    const paused = await run("Do it.");
    const restored = await RunState.fromString(agent, paused.state.toString());
    for (const item of restored.getInterruptions()) restored.approve(item, { alwaysApprove: true });
    await run(restored);
    expect(answerTo("call_a")).toContain("has not run");
    expect(executions()).toBe(1);
    expect(saved).toHaveLength(1);
  });

  test("a second approval in the same run pauses it again", async () => {
    const { run, tokens, gate, saved, executions } = await program();
    model.script(
      { calls: [{ id: "call_a", name: CREATE_ISSUE, arguments: ISSUE }] },
      { calls: [{ id: "call_b", name: CREATE_ISSUE, arguments: { ...ISSUE, title: "Two" } }] },
    );
    let result = await run("Do it.");
    for (let round = 1; round <= 2; round++) {
      expect(result.interruptions).toHaveLength(1);
      const pending = saved.at(-1);
      if (!pending) throw new Error("Nothing was asked.");
      tokens.push(await gate.approve(pending, { approver: "ada" }));
      for (const item of result.interruptions) result.state.approve(item);
      result = await run(result.state as RunState<unknown, never>);
      expect(executions()).toBe(round);
    }
    expect(result.finalOutput).toBe("done");
    expect(saved).toHaveLength(2);
  });

  test("an agent that another one uses as a tool pauses the run too", async () => {
    const made = await program();
    // Its conversation is another one, so its model is too.
    const provider = new OpenAIProvider({ baseURL: `${nestedModel.url}/v1`, apiKey: "test", useResponses });
    const inner = made.agent.clone({ model: await provider.getModel("m") });
    const helper = inner.asTool({ toolName: "helper", toolDescription: "Helps." });
    const outer = new Agent({ name: "Outer", model: "m", tools: [helper] });
    const run = async (input: string | RunState<unknown, typeof outer>) => {
      if (!stream) return runner.run(outer, input);
      const result = await runner.run(outer, input, { stream: true });
      for await (const _ of result.toStream());
      await result.completed;
      return result;
    };
    model.script({ calls: [{ name: "helper", arguments: { input: "Do it." } }] });
    nestedModel.script({ calls: [{ id: "call_inner", name: CREATE_ISSUE, arguments: ISSUE }] });
    const paused = await run("Do it.");
    expect(paused.interruptions).toHaveLength(1);
    expect(made.saved).toMatchObject([{ call: { callId: "call_inner" } }]);
    for (const pending of made.saved) made.tokens.push(await made.gate.approve(pending, { approver: "ada" }));
    for (const item of paused.interruptions) paused.state.approve(item);
    // The state is that of this agent.
    const resumed = await run(paused.state as RunState<unknown, typeof outer>);
    expect(resumed.finalOutput).toBe("done");
    expect(made.executions()).toBe(1);
  });

  test("a rejected interruption runs nothing, and broken JSON is one without a pending approval", async () => {
    const { run, executions, saved } = await program();
    model.script({ calls: [{ id: "call_a", name: CREATE_ISSUE, arguments: '{"owner": "octo' }] });
    const paused = await run("Do it.");
    expect(saved).toHaveLength(0);
    for (const item of paused.interruptions) paused.state.reject(item, { message: "The arguments aren't valid JSON." });
    const resumed = paused.interruptions.length > 0 ? await run(paused.state as RunState<unknown, never>) : paused;
    expect(resumed.finalOutput).toBe("done");
    expect(executions()).toBe(0);
  });
});

test("the question ends no run if the user has to choose an account", async () => {
  const { svc, emulator, tools, executions } = await gated({
    policy: deciding(() => ({ outcome: "allow" })),
    onAuthRequired: "throw",
  });
  const { items } = await svc.authConfigs.list({ toolkit_slug: "github" });
  const body = { auth_config_id: items[0]?.id ?? "", user_id: USER, alias: "private" };
  emulator.accounts.activate((await svc.connectedAccounts.link(body)).connected_account_id);
  const made = openaiAgents(tools, { tool }, { approvals: [] }).find(({ name }) => name === CREATE_ISSUE);
  if (made?.type !== "function") throw new Error("The tool isn't there.");
  expect(await made.needsApproval({} as never, ISSUE, "call_auth")).toBe(false);
  expect(executions()).toBe(0);
});
