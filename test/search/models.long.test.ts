import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundled, search } from "./run.js";

const quint = resolve("test/programs/agreement/node_modules/@informalsystems/quint/dist/src/cli.js");
const isInstalled = existsSync(quint);
const needs = isInstalled ? "" : " [skipped: needs npm run agreement]";
const LIMIT = { timeout: 300_000 };
const TRACES = 400;

interface Model {
  readonly name: string;
  readonly invariants: readonly string[];
  readonly worlds: readonly string[];
}

const models: readonly Model[] = [
  { name: "executions", invariants: ["once", "recorded"], worlds: ["executions: 4 processes, 3 calls"] },
  { name: "approvals", invariants: ["approved", "once"], worlds: ["approvals: 3 processes"] },
];

/** Rules that the protocols need. Without one, the model breaks its promise. */
const RULES: readonly { readonly model: string; readonly rule: string; readonly without: string }[] = [
  { model: "executions", rule: "    not(dropped.contains(stamp)),\n    sent' =", without: "    sent' =" },
  { model: "executions", rule: "    not(sent.contains(stamp)) or unrun.contains(stamp),\n", without: "" },
  { model: "executions", rule: "if (first == stamp) all", without: "if (true) all" },
  { model: "approvals", rule: "    not(started.contains(call.id)),\n", without: "" },
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "models-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const sourceOf = (model: string) => readFileSync(`docs/models/${model}.qnt`, "utf8");

/**
 * Runs Quint's own checker. Returns what it prints. It prints to a file: Quint exits before a pipe that is read late has
 * taken all lines.
 */
async function check(command: string, file: string, ...options: string[]): Promise<string> {
  const output = join(folder, "output.txt");
  const to = openSync(output, "w");
  const run = [quint, command, file, "--backend", "typescript", ...options];
  await once(spawn(process.execPath, run, { stdio: ["ignore", to, to] }), "close");
  closeSync(to);
  return readFileSync(output, "utf8");
}

const simulate = (file: string, invariants: readonly string[], samples: number) =>
  check("run", file, "--invariants", ...invariants, "--max-samples", `${samples}`, "--max-steps", "40", "--seed", "11");

describe.runIf(isInstalled)(`the models of the protocols${needs}`, () => {
  test.each(models)("$name keep their promises", LIMIT, async ({ name, invariants }) => {
    expect(await simulate(`docs/models/${name}.qnt`, invariants, 3_000)).toContain("No violation found");
  });

  test.each(RULES)("$model need the rule: $rule", LIMIT, async ({ model, rule, without }) => {
    const [before, after, ...others] = sourceOf(model).split(rule);
    expect(others).toEqual([]);
    const file = join(folder, `${model}.qnt`);
    writeFileSync(file, `${before}${without}${after}`);
    expect(await simulate(file, ["once"], 20_000)).toContain("Invariant violated");
  });

  test.each(models)("$name accept what the code does", LIMIT, async ({ name, worlds }) => {
    const limits = { limitMs: 20_000, mostTraces: TRACES };
    const [report] = await search(await bundled(), [{ ...limits, worlds, seed: 3 }]);
    const traces = report?.traces ?? [];
    expect(report?.found).toBeUndefined();
    expect(traces.length).toBeGreaterThan(10);
    const file = join(folder, `${name}-traces.qnt`);
    writeFileSync(join(folder, `${name}.qnt`), sourceOf(name));
    writeFileSync(file, asTests(name, traces));
    const printed = await check("test", file, "--main", "traces", "--max-samples", "1");
    expect(printed).toContain(`${traces.length} passing`);
    expect(printed).not.toContain("failed");
  });

  test("executions reject what the code never does", LIMIT, async () => {
    const file = join(folder, "wrong.qnt");
    writeFileSync(join(folder, "executions.qnt"), sourceOf("executions"));
    // A call that is sent before its start is known to be the first.
    writeFileSync(file, asTests("executions", ["sendStart(1, 1)\nstoreStart(1)\nsendCall(1, 1)"]));
    expect(await check("test", file, "--main", "traces", "--max-samples", "1")).toContain("1 failed");
  });
});

/** A module with a test for each trace: the model must be able to do the same. */
function asTests(model: string, traces: readonly string[]): string {
  const runs = traces.map((trace, index) => {
    const steps = trace.split("\n").map((action) => `.then(${action})`);
    return `  run trace${index}Test = init${steps.join("")}`;
  });
  return `module traces {\n  import ${model}.* from "./${model}"\n${runs.join("\n")}\n}\n`;
}
