import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Toolset } from "../../../src/agents/index.js";
import { COUNT_WORDS, CREATE_ISSUE, ISSUE } from "../support.js";
import { newcomer } from "./connecting.js";
import { startModel } from "./model-server.js";

const folder = resolve(import.meta.dirname, "../../programs/agents");
const isInstalled = existsSync(resolve(folder, "node_modules"));
const needs = isInstalled ? "" : " [skipped: needs npm run agents]";
const model = await startModel();

interface Waiting {
  readonly values: readonly unknown[];
  readonly payload: unknown;
  resume(data: unknown): Promise<Waiting | string>;
}
interface Loops {
  interrupt(value: unknown): unknown;
  interruptingLoop(url: string, tools: Toolset, kind: "agent" | "graph", isStreamed: boolean): Promise<Waiting>;
  suspendingLoop(url: string, tools: Toolset, isStreamed: boolean): Promise<Waiting>;
}

const loopsOf = async (file: string): Promise<Loops> => import(/* @vite-ignore */ resolve(folder, file));
const script = () =>
  model.script({
    calls: [
      { id: "call_a", name: CREATE_ISSUE, arguments: ISSUE },
      { id: "call_b", name: COUNT_WORDS, arguments: { text: "one two" } },
    ],
  });
const answer = () => model.requests.at(-1)?.outputs.find(({ id }) => id === "call_a")?.text;
/** The value with which a program goes on. The tools ignore it. */
const CONNECTED = { connected: true };

describe.skipIf(!isInstalled)(`LangGraph${needs}`, () => {
  test.each([
    ["createAgent", "agent", false],
    ["a graph with a ToolNode, streamed", "graph", true],
  ] as const)(
    "in %s, an interrupt waits for the account, and then exactly that call runs",
    async (_, kind, isStreamed) => {
      const loops = await loopsOf("langchain.ts");
      const { tools, connect, issues, words } = await newcomer({
        onAuthRequired: async ({ toolkit, linkUrl }) => loops.interrupt({ toolkit, connect: await linkUrl() }),
      });
      script();
      const waiting = await loops.interruptingLoop(model.url, tools, kind, isStreamed);
      expect(waiting.values).toEqual([{ toolkit: "github", connect: expect.stringMatching(/^http/) }]);
      expect(issues()).toBe(0);
      await connect();
      expect(await waiting.resume(CONNECTED)).toBe("done");
      expect([issues(), words()]).toEqual([1, 1]);
      expect(JSON.parse(answer() ?? "")).toMatchObject({ title: ISSUE.title });
    },
  );
});

describe.skipIf(!isInstalled)(`Mastra${needs}`, () => {
  test.each([
    ["generate", false],
    ["stream", true],
  ])("in %s, a suspended run waits for the account, and then exactly that call runs", async (_, isStreamed) => {
    const loops = await loopsOf("mastra.ts");
    const { tools, connect, issues } = await newcomer({ onAuthRequired: "throw" });
    model.script({ calls: [{ id: "call_a", name: CREATE_ISSUE, arguments: ISSUE }] });
    const waiting = await loops.suspendingLoop(model.url, tools, isStreamed);
    expect(waiting.payload).toEqual({ connect: expect.stringMatching(/^http/) });
    expect(issues()).toBe(0);
    await connect();
    expect(await waiting.resume(CONNECTED)).toBe("done");
    expect(issues()).toBe(1);
    expect(JSON.parse(answer() ?? "")).toMatchObject({ title: ISSUE.title });
  });
});
