// Takes the screenshots of the inspector in docs/pictures, in both themes, with the machine's Chromium. Needs a build.
//
//   npm run -s build && node scripts/inspector-pictures.ts
import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { launch, open } from "../test/emulator/inspector/browser.ts";
import { fullScene } from "../test/emulator/inspector/scene.ts";

const size = { width: 1_120, height: 660 };
const browser = await launch();
for (const theme of ["light", "dark"] as const) {
  const { emulator, svc, close } = await fullScene();
  const failed = emulator.requests.findIndex(({ status }) => status === 503);
  const { page, close: closePage } = await open(browser, emulator.url, { theme, ...size });
  await page.waitForSelector(".row");
  const visit = async (hash: string, selector: string) => {
    await page.evaluate((target) => {
      location.hash = target;
    }, hash);
    await page.waitForSelector(selector);
  };
  const rows = await page.locator(".row").evaluateAll((found) => found.map((row) => row.getAttribute("href") ?? ""));
  // The newest is first.
  await visit(rows.toReversed()[failed] ?? "#/log", "article");
  await shoot(page, `inspector-log-${theme}`);
  await visit(`#/runs/${emulator.runs.find(({ question }) => question)?.id}`, ".question");
  await shoot(page, `inspector-runs-${theme}`);
  await visit(`#/deliveries/${emulator.deliveries.items[1]?.id}`, "article");
  await shoot(page, `inspector-deliveries-${theme}`);
  await visit("#/state/accounts", "table");
  await shoot(page, `inspector-state-${theme}`);
  await visit("#/time", ".card");
  await shoot(page, `inspector-time-${theme}`);
  await visit("#/tools/GITHUB_CREATE_AN_ISSUE", "article");
  await page.getByLabel(/^owner/).fill("octo-org");
  await page.getByLabel(/^repo/).fill("hello-world");
  await page.getByRole("button", { name: "Run tool" }).click();
  await page.getByLabel("Result", { exact: true }).scrollIntoViewIfNeeded();
  await shoot(page, `inspector-tools-${theme}`);
  const { redirect_url } = await svc.connectedAccounts.link({ auth_config_id: "ac_weather_demo", user_id: "ada" });
  const connect = await open(browser, redirect_url, { theme, width: 520, height: 480 });
  await shoot(connect.page, `connect-page-${theme}`);
  await connect.close();
  await closePage();
  await close();
}
await browser.close();

/** Writes WebP, because the package contains the guide: a fourth of a PNG. Playwright itself doesn't write it. */
async function shoot(page: Page, name: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 60 });
  writeFileSync(`docs/pictures/${name}.webp`, data, "base64");
}
