import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { testsFor } from "../../scripts/dev.js";

test("npm run dev takes the folder that mirrors a changed file", () => {
  expect(testsFor(["src/client/call/retry.ts"])).toEqual(["test/client/call/"]);
  expect(testsFor(["src/shared/redact.ts"])).toEqual(["test/shared/"]);
  expect(testsFor(["src/webhooks/verify.ts", "src/webhooks/parse.ts"])).toEqual(["test/webhooks/"]);
});

test("npm run dev takes a changed test itself, and the folder of a changed helper", () => {
  expect(testsFor(["test/client/call/url.test.ts", "test/voice/allowed.ts"])).toEqual([
    "test/client/call/url.test.ts",
    "test/voice.test.ts",
  ]);
  expect(testsFor(["src/agents/adapters/openai.ts", "test/agents/adapters/openai.ts"])).toEqual([
    "test/agents/adapters/",
  ]);
});

test("npm run dev takes no test for a file that no folder mirrors", () => {
  expect(testsFor(["README.md", "src/svc.ts", "test/architecture.ts"])).toEqual([]);
});

test("npm run dev takes at most 60 files for a change of the core", () => {
  const files = testsFor(["src/client/call/retry.ts"]).flatMap((folder) => globSync(`${folder}**/*.test.ts`));
  expect(files.length).toBeGreaterThan(10);
  expect(files.length).toBeLessThanOrEqual(60);
});
