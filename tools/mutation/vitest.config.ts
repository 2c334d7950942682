import { defineConfig } from "vitest/config";

/** The quick tests that hold the contract of what is mutated: each mutant runs those that reach it. */
export default defineConfig({
  test: {
    include: [
      "test/core/**/*.test.ts",
      "test/pacing/{bans,deadline,queue,refusals,shared,slow,turn}.test.ts",
      "test/lock/lock-option.test.ts",
      "test/arguments/client.test.ts",
      "test/client/files.test.ts",
      "test/client/{session,webhook-subscription}.test.ts",
      "test/connected-accounts-helpers.test.ts",
      "test/otel/otel.test.ts",
      "test/agents/policy/{rules,conditions,budgets,for-session}.test.ts",
      "test/agents/approvals/{approvals,tokens}.test.ts",
      "test/emulator/check.test.ts",
      "test/faults/storage.test.ts",
      "test/webhooks/{verify,refusals,body,portable,receive}.test.ts",
    ],
    // The second compares files with a page of docs, which isn't copied.
    exclude: ["test/core/secrets-of-every-call.test.ts", "test/core/story.test.ts"],
    setupFiles: "tools/mutation/few-examples.ts",
    // Each mutant begins a run of its own: one worker for it, and each module read once.
    isolate: false,
    testTimeout: 10_000,
  },
});
