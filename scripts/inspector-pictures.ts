// Takes the screenshots of the inspector in docs/pictures, in both themes, with the machine's Chromium. Needs a build.
//
//   npm run -s build && node scripts/inspector-pictures.ts
import { launch, open } from "../test/inspector/browser.ts";
import { fullScene } from "../test/inspector/scene.ts";

const size = { width: 1_120, height: 660 };
const browser = await launch();
for (const theme of ["light", "dark"] as const) {
  const { emulator, svc, close } = await fullScene();
  const retry = emulator.requests.findIndex(({ attempt }) => attempt === 3);
  const { page, close: closePage } = await open(browser, emulator.url, { theme, ...size });
  await page.waitForSelector(".row");
  const shoot = (name: string) => page.screenshot({ path: `docs/pictures/inspector-${name}-${theme}.png` });
  const visit = async (hash: string, selector: string) => {
    await page.evaluate((target) => {
      location.hash = target;
    }, hash);
    await page.waitForSelector(selector);
  };
  const rows = await page.locator(".row").evaluateAll((found) => found.map((row) => row.getAttribute("href") ?? ""));
  // The newest is first.
  await visit(rows.toReversed()[retry] ?? "#/log", "article");
  await shoot("log");
  await visit(`#/deliveries/${emulator.deliveries.items[1]?.id}`, "article");
  await shoot("deliveries");
  await visit("#/state/accounts", "table");
  await shoot("state");
  await visit("#/time", ".card");
  await shoot("time");
  await visit("#/tools/GITHUB_CREATE_AN_ISSUE", "article");
  await page.getByLabel(/^owner/).fill("octo-org");
  await page.getByLabel(/^repo/).fill("hello-world");
  await page.getByRole("button", { name: "Run tool" }).click();
  await page.getByLabel("Result", { exact: true }).scrollIntoViewIfNeeded();
  await shoot("tools");
  const { redirect_url } = await svc.connectedAccounts.link({ auth_config_id: "ac_weather_demo", user_id: "ada" });
  await page.setViewportSize({ width: 520, height: 480 });
  await page.goto(redirect_url);
  await page.screenshot({ path: `docs/pictures/connect-page-${theme}.png` });
  await closePage();
  await close();
}
await browser.close();
