import { readFileSync } from "node:fs";
import { describe, expect, inject, test } from "vitest";
import {
  heapOfCall,
  KEPT,
  largest,
  modulesOf,
  PARTS,
  README_ROWS,
  readmeCell,
  type Size,
  sizeOf,
  unpackedSizes,
} from "../../scripts/size.js";
import { longTest } from "../support/size.js";

function expectNoGrowth(name: string, bytes: number, kept: number): void {
  const advice = "Look for the cause with npm run size, or accept the growth with npm run size -- --update.";
  expect(bytes, `${name} has ${bytes} bytes, ${kept} before. ${advice}`).toBeLessThanOrEqual(largest(kept));
}

/** Fails if a size has grown by more than the headroom, with what to do. */
function expectWithin(name: string, bytes: number, kept: number): void {
  expectNoGrowth(name, bytes, kept);
  expect(bytes, name).toBeGreaterThan(100);
}

const sizes = new Map<string, Size>();
for (const [name, part] of Object.entries(PARTS)) sizes.set(name, await sizeOf(...part));

describe("a browser bundle", () => {
  test("has a kept size for every part", () => {
    expect(Object.keys(KEPT.bundled), "run npm run size -- --update").toEqual(Object.keys(PARTS));
  });

  test.each(Object.entries(KEPT.bundled))("of %s is hardly larger than %i bytes", (name, kept) => {
    expectWithin(name, sizes.get(name)?.gzipBytes ?? 0, kept);
  });

  test.each(Object.entries(KEPT.later))("of %s loads hardly more than %i bytes later", (name, kept) => {
    expectNoGrowth(name, sizes.get(name)?.laterGzipBytes ?? 0, kept);
  });

  test.each(README_ROWS)("has the kept size in the README's row %s", (entry, parts) => {
    const row = readFileSync("README.md", "utf8")
      .split("\n")
      .find((line) => line.startsWith(`| ${entry} |`));
    expect(row).toMatch(new RegExp(`\\| ${readmeCell(parts, KEPT)} \\|$`));
  });

  test.each([
    ["client", "src/client/call/call.ts"],
    ["agents with schema and openai", "src/agents/adapters/openai.ts"],
  ])("of %s can be listed by its modules, such as %s", async (part, module) => {
    const [code = "", beside] = PARTS[part] ?? [];
    expect((await modulesOf(code, beside)).map(({ file }) => file)).toContain(module);
  });

  test.each<[string, readonly string[]]>([
    ["client", ["is-network-error", "ky", "p-retry"]],
    ["client, beside ky and p-retry", []],
    // Only signWebhook() needs the library: Node and Web Crypto verify.
    ["webhooks, verifying alone", []],
    ["webhooks, receiving", []],
    ["webhooks", ["@stablelib/base64", "fast-sha256", "standardwebhooks"]],
    ["contract", ["zod"]],
  ])("of %s contains no package except %j, and needs no module of Node", (name, packages) => {
    expect(sizes.get(name)).toMatchObject({ packages, external: [] });
  });
});

describe("an installation", () => {
  test("unpacks hardly more code and docs than before", () => {
    const { code, docs } = unpackedSizes();
    expectWithin("unpacked code", code, KEPT.unpacked.code);
    expectWithin("unpacked docs", docs, KEPT.unpacked.docs);
  });
});

longTest("a small call takes hardly more heap than before", () => {
  const bytes = heapOfCall(inject("packed").project);
  expect(bytes).toBeGreaterThan(10_000);
  expectWithin("a call's heap", Math.round(bytes), KEPT.heapOfCall);
});
