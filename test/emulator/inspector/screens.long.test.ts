import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { executablePath, launch, open } from "./browser.js";
import { emptyScene, fullScene, type Scene } from "./scene.js";

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
  test("has its own URL, even if the URL named an unknown screen", async () => {
    const { page, emulator, problems } = await screen(emptyScene(), "#/nope/1");
    await expect.poll(() => page.url()).toBe(`${emulator.url}/#/log`);
    expect(problems).toEqual([]);
  });

  test.each(["#/log", "#/runs"])("has an example without a key while %s is empty", async (hash) => {
    const { page } = await screen(emptyScene(), hash);
    const example = await page.locator(".code").first().innerText();
    expect(example).toContain("SVC_API_KEY");
    expect(example).not.toContain("ak_");
  });

  test("names the trigger of each delivery under Everything", async () => {
    const { page } = await screen(fullScene(), "#/log?show=all&q=delivery");
    await expect
      .poll(() => page.locator(".row").allInnerTexts())
      .toContainEqual(expect.stringMatching(/delivery\s+GITHUB_COMMIT_EVENT 200/));
  });

  test("wraps long lines of text", async () => {
    const { page, emulator } = await screen(emptyScene(), "#/log");
    await fetch(`${emulator.url}/api/v3.1/x`, { method: "POST", body: "long ".repeat(500) });
    await page.locator(".row").first().click();
    const block = page.locator(".detail .code").first();
    await block.waitFor();
    expect(await block.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });
});
