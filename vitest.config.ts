import { defineConfig } from "vitest/config";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  console.error(
    `The tests need Node >= 22.12, this is ${process.version}. Run them with npm after "npm ci": it brings its own Node.`,
  );
  process.exit(1);
}

const WITH_THE_TARBALL = ["test/package/**/*.test.ts", "test/runtimes/**/*.test.ts"];
/** Calls over real sockets, which are made once more over `undiciFetch()`. */
const OVER_SOCKETS = ["test/faults/{abort,byte-offsets,catalogue,crowd,paths,sockets}.test.ts"];

export default defineConfig({
  test: {
    // Against what hangs. How long something takes says how busy the machine is: compilers and real processes are among the tests.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ["default", "./tools/plain-summary.mjs"],
    projects: [
      { extends: true, test: { name: "source", include: ["test/**/*.test.ts"], exclude: WITH_THE_TARBALL } },
      {
        extends: true,
        // After the others: some of these faults are timed.
        test: {
          name: "undici",
          include: OVER_SOCKETS,
          env: { SVC_TEST_FETCH: "undici" },
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: "package", include: WITH_THE_TARBALL, globalSetup: "test/package/pack.ts" } },
    ],
  },
});
