// Run from the project's root: see docs/contributing.md.
export default {
  testRunner: "vitest",
  plugins: ["./scripts/mutation/node_modules/@stryker-mutator/vitest-runner/dist/src/index.js"],
  vitest: { configFile: "scripts/mutation/vitest.config.ts" },
  mutate: [
    "src/client/**/*.ts",
    "src/errors/**/*.ts",
    "src/shared/{environment,redact}.ts",
    "src/webhooks/{verify,keys,headers,input}.ts",
  ],
  coverageAnalysis: "perTest",
  ignorePatterns: ["/dist", "/bench", "/docs/*", "!/docs/guide", "/examples", ".git", "test/programs/runtimes"],
  reporters: ["clear-text", "json", "progress"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: "scripts/mutation/report/mutation.json" },
  tempDirName: "scripts/mutation/.work",
  concurrency: 2,
  timeoutMS: 10_000,
};
