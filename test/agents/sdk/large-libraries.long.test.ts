import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { type Toolset, tool } from "../../../src/agents/index.js";
import type { ModelRequest } from "../../../src/testing/index.js";
import { bench, COUNT_WORDS } from "../support.js";
import { describeLoop } from "./loops.js";
import { startModel } from "./model-server.js";

const folder = resolve(import.meta.dirname, "../../programs/agents");
const isInstalled = existsSync(resolve(folder, "node_modules"));
const needs = isInstalled ? "" : " [skipped: needs npm run agents]";
const model = await startModel();

/** A tool that can't be strict. */
const anything = tool({
  name: "anything",
  description: "Takes anything.",
  parameters: { type: "object", properties: { value: { type: "object", additionalProperties: true } } },
  execute: (args) => args,
});

/** `strict` of each tool in a request: Chat Completions have it in the function. */
function strictIn(request: ModelRequest | undefined): unknown[] {
  const tools: Record<string, unknown>[] = Object(request?.body["tools"]);
  return tools.map(({ function: nested, strict }) => (nested ? Object(nested).strict : strict));
}

type RetriedNode = (
  tools: Toolset,
  calls: readonly { readonly id: string; readonly name: string; readonly args: object }[],
) => Promise<unknown[]>;
type LibraryLoop = (url: string, tools: Toolset, signal?: AbortSignal) => Promise<string>;

/** A file of the folder in which the libraries are, loaded only when they are. */
async function loopsOf<Names extends string>(file: string): Promise<Record<Names, LibraryLoop>> {
  return import(/* @vite-ignore */ resolve(folder, file));
}

describe.skipIf(!isInstalled)(`LangChain${needs}`, async () => {
  const loops =
    isInstalled && (await loopsOf<"agentLoop" | "streamedAgentLoop" | "graphLoop" | "responsesLoop">("langchain.ts"));
  const limits = { brokenJson: "never", unknownTools: "library" } as const;
  for (const name of ["agentLoop", "streamedAgentLoop", "graphLoop"] as const) {
    describeLoop(
      name,
      model,
      ({ tools }, signal) => (loops ? loops[name](model.url, tools, signal) : Promise.reject()),
      { ...limits, answersIdsOnce: name === "graphLoop" },
    );
  }

  test.each(["agentLoop", "responsesLoop"] as const)("asks OpenAI to enforce the schemas: %s", async (name) => {
    const { tools } = await bench({ tools: [COUNT_WORDS, anything] });
    model.script();
    if (loops) await loops[name](model.url, tools);
    expect(strictIn(model.requests[0])).toEqual([true, false]);
  });
});

test.skipIf(!isInstalled)(`a call runs once in a node that LangGraph retries${needs}`, async () => {
  const { retriedNode }: { retriedNode: RetriedNode } = await import(
    /* @vite-ignore */ resolve(folder, "langchain.ts")
  );
  const call = (id: string, text: string) => ({ id, name: COUNT_WORDS, args: { text } });
  for (const ids of [
    ["call_aB3dE", "call_fG4hI"],
    ["call_0", "call_1"],
    ["call_0", "call_0"],
    ["call_9", "call_9"],
  ]) {
    const { tools, executions } = await bench();
    const said = await retriedNode(tools, [call(ids[0] ?? "", "one"), call(ids[1] ?? "", "one two")]);
    expect(said.map((text) => JSON.parse(String(text)).words)).toEqual([1, 2]);
    expect(executions()).toBe(2);
  }
});

describe.skipIf(!isInstalled)(`Mastra${needs}`, async () => {
  const loops = isInstalled && (await loopsOf<"agentLoop" | "streamedAgentLoop" | "strictLoop">("mastra.ts"));
  const limits = { brokenJson: "never", unknownTools: "library" } as const;
  for (const name of ["agentLoop", "streamedAgentLoop"] as const) {
    describeLoop(
      name,
      model,
      ({ tools }, signal) => (loops ? loops[name](model.url, tools, signal) : Promise.reject()),
      limits,
    );
  }

  test("asks OpenAI to enforce the schemas", async () => {
    const { tools } = await bench({ tools: [COUNT_WORDS, anything] });
    model.script();
    if (loops) await loops.strictLoop(model.url, tools);
    expect(strictIn(model.requests[0]).map(Boolean)).toEqual([true, false]);
  });

  test("leaves arguments as the model wrote them, where Mastra would repair them", async () => {
    const ask = tool({
      name: "ask",
      description: "Asks.",
      parameters: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
      execute: (args) => args,
    });
    const { tools } = await bench({ tools: [ask] });
    model.script({ calls: [{ name: "ask", arguments: { query: "x", prompt: null } }] });
    if (loops) await loops.agentLoop(model.url, tools);
    expect(model.requests[1]?.outputs[0]?.text).toContain("prompt: expected a string, received null");
  });
});

test.skipIf(!isInstalled)(`the types fit LangChain's and Mastra's own, strictly${needs}`, async () => {
  const compiler = resolve(folder, "../../../node_modules/@typescript/native/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch(
    (error: object) => error as { stdout: string },
  );
  expect(stdout).toBe("");
});
