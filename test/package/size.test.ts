import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ADAPTERS, modulesOf, PARTS, type Size, sizeOf } from "../../scripts/size.js";

/**
 * Bytes of each part: bundled for a browser, minified, gzip. Lower one when it shrinks; one rises only for what users
 * asked for. Why they are what they are is told in docs/decisions/0005-what-the-client-weighs.md.
 */
const BUDGETS: Readonly<Record<string, number>> = {
  client: 38_200,
  "client without pieces": 34_280,
  "client, beside ky and p-retry": 28_660,
  "webhooks, verifying alone": 9_450,
  "webhooks, verifying and parsing": 10_150,
  webhooks: 14_150,
  contract: 36_700,
  emulator: 101_500,
  agents: 9_000,
  "agents, schema": 16_500,
  "agents with schema and openai": 25_450,
  ...Object.fromEntries(ADAPTERS.map((name) => [`agents, ${name}, on top`, 2_000])),
};
const sizes = new Map<string, Size>();
for (const [name, [code, beside, base]] of Object.entries(PARTS)) sizes.set(name, await sizeOf(code, beside, base));

describe("a browser bundle", () => {
  test("has a budget for every part", () => {
    expect(Object.keys(BUDGETS)).toEqual(Object.keys(PARTS));
  });

  test.each(Object.entries(BUDGETS))("of %s stays within %i bytes", (name, budget) => {
    const { gzipBytes = 0 } = sizes.get(name) ?? {};
    expect(
      gzipBytes,
      `${name} has ${gzipBytes} bytes of ${budget}: see node scripts/size.ts --modules`,
    ).toBeLessThanOrEqual(budget);
    expect(gzipBytes).toBeGreaterThan(100);
  });

  test.each([
    ["client", "`svc-sdk`"],
    ["agents", "`svc-sdk/agents`, `/agents/schema`, `/agents/openai`, …"],
    ["agents, schema", "`svc-sdk/agents`, `/agents/schema`, `/agents/openai`, …"],
    ["webhooks", "`svc-sdk/webhooks`, `/webhooks/node`"],
    ["contract", "`svc-sdk/contract`, `/openapi.json`"],
  ])("of %s has the size that the README shows", (part, entry) => {
    const row = readFileSync("README.md", "utf8")
      .split("\n")
      .find((line) => line.startsWith(`| ${entry} |`));
    expect(row).toContain(` ${((sizes.get(part)?.gzipBytes ?? 0) / 1_000).toFixed(1)} KB`);
  });

  test.each([
    ["client", "src/core/call/call.ts"],
    ["agents with schema and openai", "src/agents/adapters/openai.ts"],
  ])("of %s can be listed by its modules, such as %s", async (part, module) => {
    const [code = "", beside] = PARTS[part] ?? [];
    expect((await modulesOf(code, beside)).map(({ file }) => file)).toContain(module);
  });

  test.each<[string, readonly string[]]>([
    ["client", ["is-network-error", "ky", "p-retry"]],
    ["client, beside ky and p-retry", []],
    ["webhooks, verifying alone", ["@stablelib/base64", "fast-sha256", "standardwebhooks"]],
    ["webhooks", ["@stablelib/base64", "fast-sha256", "standardwebhooks"]],
    ["contract", ["zod"]],
  ])("of %s contains no package except %j, and needs no module of Node", (name, packages) => {
    expect(sizes.get(name)).toMatchObject({ packages, external: [] });
  });
});
