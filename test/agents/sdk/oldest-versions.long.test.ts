import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Toolset } from "../../../src/agents/index.js";
import { bench, CREATE_ISSUE, ISSUE } from "../support.js";
import type { LoopLimits } from "./loop-limits.js";
import { describeLoop } from "./loops.js";
import { startModel } from "./model-server.js";

const folder = resolve(import.meta.dirname, "../../programs/oldest-agents");
const isRun = existsSync(resolve(folder, "node_modules"));
const needs = isRun ? "" : " [skipped: needs npm run agents:oldest]";
const model = await startModel();

type LibraryLoop = (url: string, tools: Toolset, signal?: AbortSignal) => Promise<string>;

/** The module in `test/programs/oldest-agents`. */
interface Loops {
  readonly loops: Readonly<Record<string, readonly [loop: LibraryLoop, limits?: LoopLimits]>>;
  mcpCall(tools: Toolset, name: string, args: Record<string, unknown>): Promise<unknown>;
}

describe.skipIf(!isRun)(`with the oldest version of each library${needs}`, async () => {
  // Not by its name: the compiler would need the libraries, which aren't always installed.
  const module: Partial<Loops> = isRun ? await import(/* @vite-ignore */ resolve(folder, "loops.ts")) : {};
  for (const [name, [loop, limits]] of Object.entries(module.loops ?? {})) {
    describeLoop(name, model, ({ tools }, signal) => loop(model.url, tools, signal), limits);
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
