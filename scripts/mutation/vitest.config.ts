import { defineConfig } from "vitest/config";

/** The quick tests that hold the contract of what is mutated: each mutant runs those that reach it. */
export default defineConfig({
  test: {
    include: [
      "test/{core,errors,middleware}/**/*.test.ts",
      "test/stores/rate-limit.test.ts",
      "test/arguments/{check-arguments,client}.test.ts",
      "test/resources/files/files.test.ts",
      "test/resources/tool-router/session.test.ts",
      "test/resources/webhook-subscriptions/ensure.test.ts",
      "test/resources/connected-accounts/{acl,callback,wait-until-active}.test.ts",
      "test/otel/otel.test.ts",
      "test/agents/policy/{rules,conditions,budgets,for-session}.test.ts",
      "test/agents/approvals/{approvals,tokens}.test.ts",
      "test/contract/{check,check-contract}.test.ts",
      "test/faults/storage.test.ts",
      "test/webhooks/{verify,rejections,body,portable,receive}.test.ts",
    ],
    // The story is compared with a page of docs, which isn't copied. The others are slow.
    exclude: [
      "test/core/secrets-of-every-call.test.ts",
      "test/core/story.test.ts",
      "test/core/pacing/{clocks,flood,fractional-clocks}.test.ts",
    ],
    setupFiles: "scripts/mutation/few-examples.ts",
    // Each mutant starts a separate run: one worker for it, and each module read once.
    isolate: false,
    testTimeout: 10_000,
  },
});
