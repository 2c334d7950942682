import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Toolset } from "../../../src/agents/index.js";
import { bench, CREATE_ISSUE, ISSUE } from "../support.js";
import { describeLoop, type LoopLimits } from "./loops.js";
import { startModel } from "./model-server.js";

const folder = resolve(import.meta.dirname, "../../programs/oldest-agents");
const isRun = existsSync(resolve(folder, "node_modules"));
const needs = isRun ? "" : " [skipped: needs npm run agents:oldest]";
const model = await startModel();

type LibraryLoop = (url: string, tools: Toolset, signal?: AbortSignal) => Promise<string>;

/** The module in `test/programs/oldest-agents`. */
interface Loops {
  readonly loops: Readonly<Record<string, LibraryLoop>>;
  mcpCall(tools: Toolset, name: string, args: Record<string, unknown>): Promise<unknown>;
}

/** The limits of each library. A loop of `loops.ts` that isn't here has none. */
const LIMITS: Readonly<Record<string, LoopLimits>> = {
  openaiLoop: { knowsCutCalls: true },
  openaiChatLoop: { knowsCutCalls: true },
  anthropicLoop: { knowsCutCalls: true, brokenJson: "never", propertyNames: /^[\w.-]{1,64}$/ },
  googleLoop: { brokenJson: "never", propertyNames: /^[A-Za-z_]\w{0,63}$/ },
  aiSdkLoop: { brokenJson: "library", unknownTools: "library" },
  agentsLoop: { brokenJson: "library", unknownTools: "never", answersIdsOnce: true },
  // The library ends the run if the model calls a tool that does not exist.
  langchainLoop: { brokenJson: "never", unknownTools: "never" },
  mastraLoop: { brokenJson: "never", unknownTools: "library" },
};

describe.skipIf(!isRun)(`with the oldest version of each library${needs}`, async () => {
  // Not by its name: the compiler would need the libraries, which aren't always installed.
  const module: Partial<Loops> = isRun ? await import(/* @vite-ignore */ resolve(folder, "loops.ts")) : {};
  for (const name of Object.keys(module.loops ?? {})) {
    describeLoop(
      name,
      model,
      ({ tools }, signal) =>
        module.loops?.[name]?.(model.url, tools, signal) ?? Promise.reject(new Error(`There is no ${name}.`)),
      LIMITS[name] ?? {},
    );
  }

  test("an MCP server runs a call", async () => {
    const made = await bench();
    expect(await module.mcpCall?.(made.tools, CREATE_ISSUE, { ...ISSUE, body: null })).toMatchObject([
      { type: "text" },
    ]);
    expect(made.executions()).toBe(1);
  });

  test("the types fit strictly", async () => {
    const compiler = resolve(folder, "../../../node_modules/@typescript/native/bin/tsc");
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch(
      (error: object) => error as { stdout: string },
    );
    expect(stdout).toBe("");
  });
});
