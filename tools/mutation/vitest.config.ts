import { defineConfig } from "vitest/config";

/** The tests that hold the contract of what is mutated, and no others: each mutant runs those that reach it. */
export default defineConfig({
  test: {
    include: ["test/core/**/*.test.ts", "test/webhooks/{verify,mutation,portable,receive}.test.ts"],
    exclude: ["test/core/secrets-of-every-call.test.ts"],
    testTimeout: 10_000,
  },
});
