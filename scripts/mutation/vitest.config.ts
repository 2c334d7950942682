import { defineConfig } from "vitest/config";

/** The quick tests that hold the contract of what is mutated: each mutant runs those that reach it. */
export default defineConfig({
  test: {
    include: [
      "test/{client,errors}/**/*.test.ts",
      "test/stores/rate-limit.test.ts",
      "test/json-schema/{objects,references,validator}.test.ts",
      "test/contract/{arguments-client,validate-arguments}.test.ts",
      "test/agents/{aborted-runs,accounts,adapters,arguments,bind,bounded-texts,call-ids}.test.ts",
      "test/agents/{chat-completions,definitions,files,hostile,turns}.test.ts",
      "test/agents/call/{check,result-text,run-turn,run-again}.test.ts",
      "test/agents/{kinds,local-tools,lost-replies,memory-executions,middleware,not-run,report-runs}.test.ts",
      "test/agents/tools/{find-tools,shared-schemas,read-tools}.test.ts",
      "test/agents/sdk/{ai-sdk,anthropic,approvals-ai-sdk,approvals-openai-agents,approvals-turns,find-tools,google,openai}.test.ts",
      "test/agents/sdk/{openai-agents,programmatic,streams}.test.ts",
      "test/agents/schema/{hostile,properties,rare,readers,real-tools,steps,tools}.test.ts",
      "test/cli/command.test.ts",
      "test/emulator/engine/{credentials,faults,pages,rate-limit,requests,state,time}.test.ts",
      "test/emulator/connected-accounts/urls.test.ts",
      "test/emulator/projects/projects.test.ts",
      "test/emulator/tools/tools.test.ts",
      "test/resources/common-mistakes.test.ts",
      "test/resources/files/{files,transfers}.test.ts",
      "test/resources/tool-router/tool-router-session.test.ts",
      "test/resources/webhook-subscriptions/ensure.test.ts",
      "test/resources/connected-accounts/{acl,callback,wait-until-active}.test.ts",
      "test/otel/otel.test.ts",
      "test/catalog/lock/locked-tools.test.ts",
      "test/agents/policy/{rules,conditions,budgets,session-limits}.test.ts",
      "test/agents/approvals/{approvals,tokens}.test.ts",
      "test/contract/{check-shape,check-contract}.test.ts",
      "test/faults/storage.test.ts",
      "test/webhooks/{verify,rejections,body,portable,receive}.test.ts",
    ],
    // Of the docs only the guide is copied, and not the built package, so tests that read others can't be included. The
    // story is compared with a page of docs. The others are slow.
    exclude: [
      "test/client/secrets-of-every-call.test.ts",
      "test/client/story.test.ts",
      "test/client/pacing/{clocks,flood,fractional-clocks}.test.ts",
    ],
    setupFiles: "scripts/mutation/few-examples.ts",
    // Each mutant starts a separate run: one worker for it, and each module read once.
    isolate: false,
    testTimeout: 10_000,
  },
});
