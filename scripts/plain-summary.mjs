// A vitest reporter that lists the ten slowest files and ends the run with one line, alone: "N passed, N failed".
//
// It counts test cases. A test file that could not be loaded, a suite hook that failed and an error outside of any test
// count as one failure each, so the line never says "0 failed" about a red run. Skipped tests get a separate line.
import { relative } from "node:path";

const SLOWEST = 10;

export default class PlainSummary {
  onTestRunEnd(modules, unhandledErrors, reason) {
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
    count.failed += unhandledErrors.length;
    if (reason !== "passed" && count.failed === 0) count.failed = 1;

    const slowest = slowestOf(modules);
    // Last words, after those of the other reporters.
    process.once("exit", (code) => {
      if (modules.length > 1) process.stdout.write(`The slowest files, in seconds:\n${slowest.join("\n")}\n`);
      if (code !== 0 && count.failed === 0) count.failed = 1;
      if (count.skipped > 0) process.stdout.write(`${count.skipped} skipped\n`);
      process.stdout.write(`${count.passed} passed, ${count.failed} failed\n`);
    });
  }
}

/** The files that took longest, with what loading them took. */
function slowestOf(modules) {
  const timed = modules.map((module) => {
    const { collectDuration, duration } = module.diagnostic();
    return { path: relative(".", module.moduleId), seconds: (collectDuration + duration) / 1_000 };
  });
  const inOrder = timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  return inOrder.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(6)}  ${path}`);
}
