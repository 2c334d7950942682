import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  console.error(
    `The tests need Node >= 22.12, this is ${process.version}. Run them with npm after "npm ci": it brings its own Node.`,
  );
  process.exit(1);
}

/** A test file's name says when it runs: docs/contributing.md has the three kinds. */
const ALL = "test/**/*.test.ts";
/** Tests of the built package. Before them it is built, if a source has changed since, and packed once. */
const OF_THE_PACKAGE = "test/**/*.package.test.ts";
const LONG = "test/**/*.long{,.package}.test.ts";
const INSTALLED = "**/node_modules/**";
/** Calls over real sockets, which the long runs repeat with `undiciFetch()`. */
const OVER_SOCKETS = "test/faults/{abort,byte-offsets,catalog,crowd,paths,sockets}.test.ts";

/**
 * How many concurrent tests of a file run at once. Most of them only wait for a timeout. Tests of the package start
 * processes, so they keep the default.
 */
const TOGETHER = 12;

/** Found in files with tests of two sizes: an import of test/support/size.ts, or a name that uses it. */
const OF_TWO_SIZES = /support\/size\.js|\bFRONTS\b|\bdescribeLoop\b/;

/** Files that the long runs needn't repeat: neither long, nor with a test of two sizes. */
const ofOneSize = () =>
  globSync(ALL, { exclude: [INSTALLED, LONG] }).filter((path) => !OF_TWO_SIZES.test(readFileSync(path, "utf8")));

export default defineConfig(({ mode }) => {
  const size = mode === "long" || mode === "full" ? mode : "usual";
  const isLong = size !== "usual";
  const exclude = [INSTALLED, ...(isLong ? ofOneSize() : [LONG])];
  return {
    test: {
      // Stops what hangs. How long a test takes says how busy the machine is: compilers and real processes are among them.
      // At full size, some tests take half a minute on a free machine.
      testTimeout: isLong ? 300_000 : 60_000,
      hookTimeout: 120_000,
      // Says only when a poll has failed: on a busy machine, what takes a millisecond can take seconds.
      expect: { poll: { timeout: 50_000, interval: 20 } },
      // Vitest's own default leaves one processor idle, which is half of a machine that has two.
      maxWorkers: availableParallelism(),
      // Test files share nothing but modules, so a worker loads each module once and not once per file.
      isolate: false,
      provide: { size },
      setupFiles: ["test/support/cpu-of-file.ts"],
      reporters: ["default", "./scripts/plain-summary.ts"],
      projects: [
        {
          extends: true,
          test: { name: "source", include: [ALL], exclude: [OF_THE_PACKAGE, ...exclude], maxConcurrency: TOGETHER },
        },
        {
          extends: true,
          // After the others: some of these faults are timed.
          test: {
            name: "undici",
            include: isLong ? [OVER_SOCKETS] : [],
            maxConcurrency: TOGETHER,
            env: { SVC_TEST_FETCH: "undici" },
            sequence: { groupOrder: 1 },
          },
        },
        {
          extends: true,
          test: {
            name: "package",
            include: [OF_THE_PACKAGE],
            exclude,
            globalSetup: ["test/package/build.ts", "test/package/pack.ts"],
          },
        },
      ],
    },
  };
});
