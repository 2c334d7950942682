import type { Browser } from "playwright-core";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { allow, budget, policy } from "svc-sdk/agents/policy";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { fakeClock } from "../../support/clock.js";
import { executablePath, launch, open } from "./browser.js";
import { emptyScene } from "./scene.js";

let browser: Browser;
beforeAll(async () => {
  if (executablePath) browser = await launch();
});
afterAll(() => browser?.close());

test.skipIf(!executablePath)(
  "the inspector shows the budgets of a call and of its turn, and how long it waited for the rate limit",
  async () => {
    const { emulator, close } = await emptyScene();
    onTestFinished(close);
    const { page } = await open(browser, `${emulator.url}/#/runs`, { theme: "light" });
    const svc = new Svc({ ...emulator.connection, env: {}, clock: fakeClock(), maxRetries: 0 });
    const tools = await toolset(svc, {
      userId: "ada",
      tools: ["TEXTKIT_REVERSE"],
      policy: policy([allow({ tools: ["*"] }), budget({ id: "a minute", maxCalls: 3, windowMs: 60_000 })]),
    });
    emulator.faults.next("tools.listSlugs", { status: 429, retryAfterSeconds: 10 });
    await svc.tools.listSlugs().catch(() => undefined);
    await tools.run(["1", "2"].map((callId) => ({ callId, name: "TEXTKIT_REVERSE", arguments: { text: callId } })));
    await page.locator(".row").first().click();
    const budgets = page.locator(".facts div", { hasText: "Budgets" });
    await expect
      .poll(() => budgets.innerText())
      .toMatch(/a minute [12] of 3 calls used, [12] left within 1:00 min for this user$/);
    await page.getByRole("link", { name: "turn 1", exact: true }).click();
    await expect.poll(() => budgets.innerText()).toContain("a minute 2 of 3 calls used, 1 left within 1:00 min");
    const waits = page.locator(".waterfall li", { hasText: "Waits for the rate limit" });
    await expect.poll(() => waits.first().innerText()).toContain("10.00 s");
  },
);
