import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { type Toolset, tool } from "../../../src/agents/index.js";
import { bench } from "../support.js";
import { describeLoop } from "./loops.js";
import { startModel } from "./model-server.js";

const folder = resolve(import.meta.dirname, "../../../tools/agents");
const isInstalled = existsSync(resolve(folder, "node_modules"));
const needs = isInstalled ? "" : " [skipped: needs npm run agents]";
const model = await startModel();

type LibraryLoop = (url: string, tools: Toolset, signal?: AbortSignal) => Promise<string>;

/** A file of the folder in which the libraries are, loaded only when they are. */
async function loopsOf<Names extends string>(file: string): Promise<Record<Names, LibraryLoop>> {
  return import(/* @vite-ignore */ resolve(folder, file));
}

describe.skipIf(!isInstalled)(`LangChain${needs}`, async () => {
  const loops = isInstalled && (await loopsOf<"agentLoop" | "streamedAgentLoop" | "graphLoop">("langchain.ts"));
  const limits = { brokenJson: "never", unknownTools: "library" } as const;
  for (const name of ["agentLoop", "streamedAgentLoop", "graphLoop"] as const) {
    describeLoop(
      name,
      model,
      ({ tools }, signal) => (loops ? loops[name](model.url, tools, signal) : Promise.reject()),
      limits,
    );
  }
});

describe.skipIf(!isInstalled)(`Mastra${needs}`, async () => {
  const loops = isInstalled && (await loopsOf<"agentLoop" | "streamedAgentLoop">("mastra.ts"));
  const limits = { brokenJson: "never", unknownTools: "library" } as const;
  for (const name of ["agentLoop", "streamedAgentLoop"] as const) {
    describeLoop(
      name,
      model,
      ({ tools }, signal) => (loops ? loops[name](model.url, tools, signal) : Promise.reject()),
      limits,
    );
  }

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
    expect(model.requests[1]?.answers[0]?.text).toContain("prompt: expected a string, received null");
  });
});

test.skipIf(!isInstalled)(`the types fit LangChain's and Mastra's own, strictly${needs}`, async () => {
  const compiler = resolve(folder, "../../node_modules/@typescript/native/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch(
    (error: object) => error as { stdout: string },
  );
  expect(stdout).toBe("");
});
