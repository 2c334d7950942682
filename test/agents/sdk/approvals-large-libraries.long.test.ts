import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { PendingApproval, Toolset } from "../../../src/agents/index.js";
import { gated } from "../approvals/support.js";
import { COUNT_WORDS, CREATE_ISSUE, ISSUE } from "../support.js";
import { startModel } from "./model-server.js";

const folder = resolve(import.meta.dirname, "../../programs/agents");
const isInstalled = existsSync(resolve(folder, "node_modules"));
const needs = isInstalled ? "" : " [skipped: needs npm run agents]";
const model = await startModel();

interface Interrupted {
  readonly values: readonly PendingApproval[];
  resume(data: unknown): Promise<Interrupted | string>;
}
interface Suspended {
  readonly payload: PendingApproval;
  resume(data: object): Promise<Suspended | string>;
}
interface Loops {
  interruptingLoop(url: string, tools: Toolset, kind: "agent" | "graph", isStreamed: boolean): Promise<Interrupted>;
  suspendingLoop(url: string, tools: Toolset, isStreamed: boolean): Promise<Suspended>;
}

/** A file of the folder in which the libraries are, loaded only when they are. */
async function loopsOf<Name extends keyof Loops>(file: string): Promise<Pick<Loops, Name>> {
  return import(/* @vite-ignore */ resolve(folder, file));
}

const issue = (id: string, title: string) => ({ id, name: CREATE_ISSUE, arguments: { ...ISSUE, title } });
const answerTo = (callId: string) => model.requests.at(-1)?.outputs.find(({ id }) => id === callId)?.text;
const ada = { approver: "ada" };

describe.skipIf(!isInstalled)(`approvals in LangGraph${needs}`, async () => {
  const loops = isInstalled && (await loopsOf<"interruptingLoop">("langchain.ts"));
  const start = (tools: Toolset, kind: "agent" | "graph", isStreamed: boolean) =>
    loops ? loops.interruptingLoop(model.url, tools, kind, isStreamed) : Promise.reject();

  describe.each([
    ["createAgent", "agent", false],
    ["createAgent, streamed", "agent", true],
    ["a graph with a ToolNode", "graph", false],
    ["a graph with a ToolNode, streamed", "graph", true],
  ] as const)("in %s", (_, kind, isStreamed) => {
    test("interrupt the graph, and finished siblings don't run again on resume", async () => {
      const { tools, gate, executions, events } = await gated();
      model.script({
        calls: [issue("call_a", "One"), { id: "call_b", name: COUNT_WORDS, arguments: { text: "one two" } }],
      });
      const waiting = await start(tools, kind, isStreamed);
      expect(waiting.values).toMatchObject([{ call: { callId: "call_a" } }]);
      const [pending] = waiting.values;
      if (!pending) return;
      expect(await waiting.resume(await gate.approve(pending, ada))).toBe("done");
      expect(JSON.parse(answerTo("call_a") ?? "")).toMatchObject({ title: "One" });
      expect(executions()).toBe(2);
      expect(events.filter(({ type }) => type === "started")).toHaveLength(2);
    });

    test("resume calls whose ids start again in each turn", async () => {
      const { tools, gate, executions } = await gated();
      for (const title of ["One", "Two"]) {
        model.script({
          calls: [issue("call_0", title), { id: "call_1", name: COUNT_WORDS, arguments: { text: "one two" } }],
        });
        const waiting = await start(tools, kind, isStreamed);
        const [pending] = waiting.values;
        if (!pending) throw new Error("Nothing waits.");
        expect(await waiting.resume(await gate.approve(pending, ada))).toBe("done");
        expect(JSON.parse(answerTo("call_0") ?? "")).toMatchObject({ title });
      }
      expect(executions()).toBe(4);
    });

    test("a token that reaches the wrong call runs nothing there", async () => {
      const { tools, gate, executions } = await gated();
      model.script({ calls: [issue("call_a", "One"), issue("call_b", "Two")] });
      let waiting: Interrupted | string = await start(tools, kind, isStreamed);
      const tokens = new Map<string, string>();
      for (let round = 0; typeof waiting !== "string" && round < 6; round++) {
        // One approval per round. Every interrupted call gets it, and each runs only with its own.
        const open: PendingApproval | undefined = waiting.values.find(({ call }) => !tokens.has(call.callId));
        if (open) tokens.set(open.call.callId, await gate.approve(open, ada));
        waiting = await waiting.resume([...tokens.values()]);
        expect(executions()).toBeLessThanOrEqual(tokens.size);
      }
      expect(waiting).toBe("done");
      expect(executions()).toBe(2);
      expect([answerTo("call_a"), answerTo("call_b")].map((text) => JSON.parse(text ?? "").title)).toEqual([
        "One",
        "Two",
      ]);
    });

    test("what isn't a token resumes nothing, and a denial is what the model reads", async () => {
      const { tools, gate, executions } = await gated();
      model.script({ calls: [issue("call_a", "One")] });
      const waiting = await start(tools, kind, isStreamed);
      const again = await waiting.resume({ decisions: [{ type: "approve" }] });
      if (typeof again === "string") throw new Error(again);
      const [pending] = again.values;
      if (!pending) return;
      expect(await again.resume(await gate.deny(pending, { ...ada, reason: "Not today." }))).toBe("done");
      expect(answerTo("call_a")).toContain("Not today.");
      expect(executions()).toBe(0);
    });
  });
});

describe.skipIf(!isInstalled)(`approvals in Mastra${needs}`, async () => {
  const loops = isInstalled && (await loopsOf<"suspendingLoop">("mastra.ts"));
  describe.each([
    ["generate", false],
    ["stream", true],
  ])("in %s", (_, isStreamed) => {
    test("suspend the run, which resumes with the token", async () => {
      const { tools, gate, executions } = await gated();
      model.script({ calls: [issue("call_a", "One")] });
      const waiting = loops && (await loops.suspendingLoop(model.url, tools, isStreamed));
      if (!waiting) return;
      expect(waiting.payload).toMatchObject({ call: { callId: "call_a" } });
      expect(executions()).toBe(0);
      const token = await gate.approve(waiting.payload, ada);
      expect(await waiting.resume({ approvals: [token] })).toBe("done");
      expect(answerTo("call_a")).toContain("One");
      expect(executions()).toBe(1);
    });

    test("resumes a call whose id starts again in each turn", async () => {
      const { tools, gate, executions } = await gated();
      for (const title of ["One", "Two"]) {
        model.script({ calls: [issue("call_0", title)] });
        const waiting = loops && (await loops.suspendingLoop(model.url, tools, isStreamed));
        if (!waiting) return;
        const token = await gate.approve(waiting.payload, ada);
        expect(await waiting.resume({ approvals: [token] })).toBe("done");
        expect(answerTo("call_0")).toContain(title);
      }
      expect(executions()).toBe(2);
    });

    test("what isn't a token runs nothing", async () => {
      const { tools, executions } = await gated();
      model.script({ calls: [issue("call_a", "One")] });
      const waiting = loops && (await loops.suspendingLoop(model.url, tools, isStreamed));
      if (!waiting) return;
      await waiting.resume({ approved: true });
      expect(executions()).toBe(0);
    });
  });
});
