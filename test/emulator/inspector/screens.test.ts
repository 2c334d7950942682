import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { executablePath, launch, open } from "./browser.js";
import { emptyScene, type Scene } from "./scene.js";

let browser: Browser;
beforeAll(async () => {
  if (executablePath) browser = await launch();
});
afterAll(() => browser?.close());

/** A screen of the inspector. */
async function screen(scene: Promise<Scene>, hash: string) {
  const { emulator, close } = await scene;
  onTestFinished(close);
  const opened = await open(browser, `${emulator.url}/${hash}`, { theme: "light" });
  onTestFinished(opened.close);
  return { ...opened, emulator };
}

describe.skipIf(!executablePath)("a screen of the inspector", () => {
  test("wraps long lines of text", async () => {
    const { page, emulator } = await screen(emptyScene(), "#/log");
    await fetch(`${emulator.url}/api/v3.1/x`, { method: "POST", body: "long ".repeat(500) });
    await page.locator(".row").first().click();
    const block = page.locator(".detail .code").first();
    await block.waitFor();
    expect(await block.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });
});
