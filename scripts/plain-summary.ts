// A vitest reporter that lists the ten files that cost most processor time, says what the run took, and ends it with one
// line, alone: "N passed, N failed".
//
// It counts test cases. A test file that could not be loaded, a suite hook that failed and an error outside of any test
// count as one failure each, so the line never says "0 failed" about a red run. Skipped tests get a separate line. A file
// that costs more than its share of `npm test` is a failure too, so that `npm test` stays fast. A run that is ended from
// outside names the tests that were running, because one of them may hang.
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule, TestRunEndReason, Vitest } from "vitest/node";
import { cpuMs, cpuWithChildrenMs } from "../test/support/cpu-time.ts";

const LISTED = 10;
/** Shares of fewer files say nothing. */
const MANY = 200;
const LARGEST_SHARE = 0.03;
const ADVICE = "A file may take 3 %. Make it smaller with sized(), or move tests to a .long.test.ts file.";

/** The processor time that a test file cost. */
interface Cost {
  readonly path: string;
  readonly ms: number;
}

export default class PlainSummary implements Reporter {
  readonly #startedAt = performance.now();
  readonly #running = new Set<TestCase>();
  #isLong = false;

  onInit(vitest: Vitest): void {
    this.#isLong = ["long", "full"].includes(vitest.config.mode);
    process.once("SIGTERM", () => {
      for (const { module, fullName } of this.#running) {
        process.stdout.write(`running: ${relative(".", module.moduleId)} > ${fullName}\n`);
      }
      process.exit(143);
    });
  }

  onTestCaseReady(test: TestCase): void {
    this.#running.add(test);
  }

  onTestCaseResult(test: TestCase): void {
    this.#running.delete(test);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], reason: TestRunEndReason): void {
    const count = countOf(modules);
    count.failed += unhandledErrors.length;
    if (reason !== "passed" && count.failed === 0) count.failed = 1;

    const costs = costsOf(modules);
    const tooLarge = this.#isLong ? [] : tooLargeOf(costs);
    count.failed += tooLarge.length;
    if (tooLarge.length > 0) process.exitCode = 1;

    // Last words, after those of the other reporters.
    process.once("exit", (code) => {
      const print = (line: string) => process.stdout.write(`${line}\n`);
      if (costs.length > 1) print("The files that cost most, in CPU seconds:");
      if (costs.length > 1)
        for (const { path, ms } of costs.slice(0, LISTED)) print(`${seconds(ms).padStart(6)}  ${path}`);
      for (const { path, ms } of tooLarge) {
        print(`FAILED: ${path} takes ${((100 * ms) / sumOf(costs)).toFixed(1)} % of npm test. ${ADVICE}`);
      }
      if (code !== 0 && count.failed === 0) count.failed = 1;
      // The workers have ended by now. Where the system doesn't count them, their files count themselves.
      const cpu = Math.max(cpuWithChildrenMs(), cpuMs() + sumOf(costs));
      print(`tests: ${Math.round((performance.now() - this.#startedAt) / 1_000)} s, ${Math.round(cpu / 1_000)} CPU s`);
      if (count.skipped > 0) print(`${count.skipped} skipped`);
      print(`${count.passed} passed, ${count.failed} failed`);
    });
  }
}

/** The files that cost more than their share of a run of many files. */
export function tooLargeOf(costs: readonly Cost[]): readonly Cost[] {
  return costs.length < MANY ? [] : costs.filter(({ ms }) => ms > LARGEST_SHARE * sumOf(costs));
}

const sumOf = (costs: readonly Cost[]) => costs.reduce((sum, { ms }) => sum + ms, 0);

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

/** Counts test cases, and names skipped ones. */
function countOf(modules: readonly TestModule[]): { passed: number; failed: number; skipped: number } {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      count[state === "passed" || state === "failed" ? state : "skipped"] += 1;
      if (state !== "passed" && state !== "failed") process.stdout.write(`skipped: ${test.fullName}\n`);
    }
    count.failed += module.errors().length;
    for (const suite of module.children.allSuites()) count.failed += suite.errors().length;
  }
  return count;
}

/** The cost of each file in all projects, as test/support/cpu-of-file.ts measured. The most expensive is first. */
function costsOf(modules: readonly TestModule[]): readonly Cost[] {
  const costs = new Map<string, number>();
  for (const module of modules) {
    const path = relative(".", module.moduleId);
    costs.set(path, (costs.get(path) ?? 0) + (module.meta().cpuMs ?? 0));
  }
  return [...costs].map(([path, ms]) => ({ path, ms })).sort((one, other) => other.ms - one.ms);
}
