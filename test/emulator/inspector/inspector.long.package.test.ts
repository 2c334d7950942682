import { globSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { toolset } from "svc-sdk/agents";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { stopwatch } from "../../support/size.js";
import { executablePath, launch, type Opened, open, type View, violations } from "./browser.js";
import { emptyScene, fullScene, type Scene } from "./scene.js";

const SCREENS = [
  ...["#/log", "#/log?show=all", "#/runs", "#/deliveries", "#/state/accounts", "#/state/auth-configs"],
  ...["#/state/triggers", "#/state/subscriptions", "#/state/sessions", "#/state/files", "#/time", "#/tools"],
];

let browser: Browser;
beforeAll(async () => {
  if (executablePath) browser = await launch();
});
afterAll(() => browser?.close());

async function shown(scene: Promise<Scene>, view: View = { theme: "light" }): Promise<Scene & Opened> {
  const opened = await scene;
  onTestFinished(opened.close);
  const page = await open(browser, opened.emulator.url, view);
  onTestFinished(page.close);
  await page.page.waitForSelector(".connection.live");
  return { ...opened, ...page };
}

async function visit(page: Page, hash: string): Promise<void> {
  await page.evaluate((target) => {
    location.hash = target;
  }, hash);
  await page.waitForSelector("main h1");
}

const textOf = (page: Page, selector: string) => page.locator(selector).first().innerText();

test("the page is one response of at most 60 KB gzip, with a strict policy, and nothing may frame or read it", async () => {
  const { emulator, close } = await emptyScene();
  onTestFinished(close);
  const response = await fetch(emulator.url, { headers: { accept: "text/html" } });
  const html = await response.text();
  expect(gzipSync(html).length).toBeLessThan(60_000);
  expect(response.headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'$/,
  );
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect((await fetch(emulator.url)).status).toBe(404);
});

test("only one file of the package has the inspector, and no entry point loads it before the page is opened", () => {
  const files = globSync("dist/**/*.js");
  const textOf = (file: string) => readFileSync(file, "utf8");
  const holders = files.filter((file) => textOf(file).includes("Skip to the content"));
  expect(holders).toHaveLength(1);
  const [name = ""] = /[\w-]+\.js$/.exec(holders[0] ?? "") ?? [];
  const users = files.filter((file) => textOf(file).includes(name));
  for (const file of users) expect(textOf(file)).toContain(`import("./${name}")`);
  expect(users.length).toBeGreaterThan(0);
});

describe.skipIf(!executablePath)("the inspector in Chromium", () => {
  test.each([
    ["full", "light", 1_280],
    ["full", "dark", 1_280],
    ["full", "dark", 390],
    ["empty", "light", 1_280],
    ["empty", "dark", 390],
  ] as const)("has no violation that axe finds on any screen: %s, %s, %i pixels wide", async (kind, theme, width) => {
    const scene = await shown(kind === "full" ? fullScene() : emptyScene(), { theme, width });
    const { page, problems, emulator } = scene;
    const [delivery] = emulator.deliveries.items;
    const details = [
      "#/tools/GITHUB_CREATE_AN_ISSUE",
      ...(delivery ? ["#/log/2", `#/deliveries/${delivery.id}`] : []),
      ...emulator.runs.filter(({ question }, index) => index < 2 || question).map(({ id }) => `#/runs/${id}`),
    ];
    for (const hash of [...SCREENS, ...details]) {
      await visit(page, hash);
      await page.waitForTimeout(30);
      expect([hash, await violations(page)]).toEqual([hash, []]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([hash, overflow]).toEqual([hash, 0]);
    }
    expect(problems).toEqual([]);
  });

  test("shows requests live, filters and searches them, and keeps that in the URL", async () => {
    const { page, svc, emulator } = await shown(emptyScene());
    expect(await textOf(page, ".empty h2")).toBe("No requests yet");
    await svc.tools.get("GITHUB_CREATE_AN_ISSUE");
    await svc.toolkits.list();
    await svc.tools.get("GITHUB_NOTHING").catch(() => undefined);
    await page.locator(".row").nth(2).waitFor();
    await page.getByRole("button", { name: "Failed" }).click();
    await expect.poll(() => page.locator(".row").count()).toBe(1);
    await page.getByRole("button", { name: "Requests" }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("toolkits");
    await expect.poll(() => page.locator(".row").allInnerTexts()).toEqual([expect.stringContaining("toolkits.list")]);
    expect(page.url()).toBe(`${emulator.url}/#/log?q=toolkits`);
    await page.reload();
    await expect.poll(() => page.locator(".row").count()).toBe(1);
  });

  test("leaves a search with Escape, so that the other keys work again", async () => {
    const { page } = await shown(fullScene());
    await page.keyboard.press("/");
    await page.keyboard.type("tools");
    await page.keyboard.press("Escape");
    expect(await page.inputValue(".search")).toBe("");
    await page.keyboard.press("Escape");
    await page.keyboard.press("5");
    await page.waitForFunction(() => location.hash === "#/time");
  });

  test("moves through the log by keyboard, and closes details with Escape", async () => {
    const { page, emulator } = await shown(emptyScene());
    for (const name of ["a", "b", "c"]) await fetch(`${emulator.url}/${name}`);
    await page.locator(".row").nth(2).waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => textOf(page, ".title")).toMatch(/GET \/c$/);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => textOf(page, ".title")).toMatch(/GET \/b$/);
    await page.keyboard.press("k");
    await expect.poll(() => textOf(page, ".title")).toMatch(/GET \/c$/);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".title").count()).toBe(0);
    await page.keyboard.press("5");
    await expect.poll(() => textOf(page, "h1")).toBe("Clock and faults");
  });

  test("closes the details of each list with Escape, but not while a field has the keys", async () => {
    const { page } = await shown(fullScene());
    for (const screen of ["2", "3", "6"]) {
      await page.keyboard.press(screen);
      await page.locator(".row").first().waitFor();
      await page.keyboard.press("j");
      await page.locator(".detail").waitFor();
      await page.keyboard.press("/");
      await page.keyboard.press("Escape");
      expect(await page.locator(".detail").count()).toBe(1);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator(".detail").count()).toBe(0);
    }
  });

  test("opens a link with a percent sign that encodes nothing", async () => {
    const { page, problems } = await shown(emptyScene());
    await visit(page, "#/tools/%E0");
    await expect.poll(() => textOf(page, "h1")).toBe("Tools");
    expect(problems).toEqual([]);
  });

  test("shows foreign text as text", async () => {
    const { page, emulator, problems } = await shown(emptyScene());
    const attack = '<img src=x onerror="document.title=1"></script><script>document.title=1</script>';
    await fetch(`${emulator.url}/api/v3.1/tools/execute/X`, {
      method: "POST",
      headers: { "x-api-key": "ak_emulator", "x-attack": attack, "content-type": "application/json" },
      body: JSON.stringify({ arguments: { [attack]: attack } }),
    });
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("j");
    await page.locator("summary").first().click();
    await expect.poll(() => textOf(page, ".block")).toContain("onerror");
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.title()).toBe("Log · Emulator");
    expect(problems).toEqual([]);
  });

  test("shows the calls of agents live, filters them, and links each to its requests", async () => {
    const { page, emulator } = await shown(fullScene());
    await visit(page, "#/runs");
    await expect.poll(() => page.locator(".row").count()).toBe(7);
    await page.getByRole("button", { name: "Waiting" }).click();
    const waiting = ["roof", "window"].map((what) => expect.stringContaining(`Fix the ${what}`));
    await expect.poll(() => page.locator(".row").allInnerTexts()).toEqual(waiting);
    await page.locator(".row").last().click();
    await page.getByText("Your program handles this approval.").waitFor();
    await page.getByRole("button", { name: "Denied" }).click();
    await expect.poll(() => page.locator(".row").allInnerTexts()).toEqual([expect.stringContaining("denied")]);
    const approved = emulator.runs.find(({ steps }) => steps.some(({ approver }) => approver !== undefined));
    await visit(page, `#/runs/${approved?.id}`);
    await expect
      .poll(() => textOf(page, ".facts"))
      .toMatch(/chat-1, turn 1.*ca_github_demo.*ask, changes.*approved by ada@example.com/s);
    await page.getByRole("link", { name: "tools.execute" }).click();
    await expect.poll(() => textOf(page, ".title")).toContain("GITHUB_CREATE_AN_ISSUE");
    await page.getByRole("link", { name: "Open the model's call" }).click();
    await page.getByRole("link", { name: "Only this conversation" }).click();
    await expect.poll(() => page.locator(".row").count()).toBe(4);
  });

  test("stays fast with 10,000 calls of agents", async () => {
    const { page, emulator, svc } = await shown(emptyScene());
    const tools = await toolset(svc, { userId: "ada", tools: ["TEXTKIT_REVERSE"] });
    for (let turn = 0; turn < 20; turn++) {
      const calls = Array.from({ length: 500 }, (_, index) => ({
        callId: `${turn}-${index}`,
        name: "NO",
        arguments: {},
      }));
      await tools.run(calls);
      await expect
        .poll(() => emulator.runs.at(-1), { timeout: 10_000 })
        .toMatchObject({ callId: `${turn}-499`, result: expect.stringContaining("NO") });
    }
    await visit(page, "#/runs");
    await expect.poll(() => textOf(page, ".count"), { timeout: 20_000 }).toContain("10,000 of 10,000");
    const watch = stopwatch();
    await page.locator(".list").focus();
    await page.keyboard.press("End");
    // The last call of the oldest turn.
    await expect.poll(() => textOf(page, ".facts")).toContain("0-499");
    await page.keyboard.press("/");
    await page.keyboard.type("19-499");
    await expect.poll(() => textOf(page, ".count")).toMatch(/^1 of 10,000/);
    watch.expectBelow(10_000);
  });

  test("resends a delivery byte for byte, and sends another body", async () => {
    const { page, emulator } = await shown(fullScene());
    const [first] = emulator.deliveries.items;
    await visit(page, `#/deliveries/${first?.id}`);
    await page.getByRole("button", { name: "Resend byte for byte" }).click();
    await expect.poll(() => emulator.deliveries.items.at(-1)?.resend?.of).toBe(first?.id);
    const exact = emulator.deliveries.items.at(-1);
    await expect.poll(() => exact?.attempts[0]?.request).toEqual(first?.attempts[0]?.request);
    await expect.poll(() => page.url()).toContain(exact?.id);
    await page.getByText("Send something else").click();
    await page.getByRole("textbox", { name: "Body" }).fill('{"other":true}');
    await page.getByLabel("Copies").fill("2");
    await page.getByLabel("Sign with a wrong secret").check();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect
      .poll(() => emulator.deliveries.items.slice(-2))
      .toMatchObject([
        { body: '{"other":true}', resend: { of: exact?.id, wrongSecret: true } },
        { body: '{"other":true}', resend: { of: exact?.id, wrongSecret: true } },
      ]);
  });

  test("changes accounts, fires a trigger from its form, and shows both live", async () => {
    const { page, emulator } = await shown(fullScene());
    await visit(page, "#/state/accounts");
    const row = page.locator("tr", { hasText: "ca_github_expired" });
    await page.getByRole("button", { name: "Activate ca_github_expired" }).click();
    await expect.poll(() => row.innerText()).toContain("ACTIVE");
    await page.getByRole("button", { name: "Revoke ca_github_expired" }).click();
    await expect.poll(() => row.innerText()).toContain("REVOKED");
    emulator.accounts.expire("ca_weather_demo");
    await expect.poll(() => page.locator("tr", { hasText: "ca_weather_demo" }).innerText()).toContain("EXPIRED");
    await visit(page, "#/state/triggers");
    await page.getByRole("button", { name: /^Fire ti_/ }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel(/^message/).fill("From the form");
    await page.getByRole("button", { name: "Fire event" }).click();
    await expect.poll(() => emulator.events.at(-1)?.data).toMatchObject({ message: "From the form" });
    await page.getByRole("status").getByText("Emitted").waitFor();
    await page.keyboard.press("5");
    await page.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(await textOf(page, "h1")).toBe("State");
  });

  test("pauses, advances, and jumps the clock; adds, lists, and removes faults", async () => {
    const { page, emulator } = await shown(emptyScene());
    await visit(page, "#/time");
    await page.getByRole("button", { name: "Advance by 1 day" }).click();
    await expect.poll(() => emulator.clock.iso()).toBe("2026-03-03T09:30:00.000Z");
    await expect.poll(() => textOf(page, ".big time")).toBe("2026-03-03 09:30:00");
    await page.getByRole("button", { name: "Resume" }).click();
    await expect.poll(() => emulator.clock.isRunning).toBe(true);
    await page.getByRole("button", { name: "Pause" }).click();
    await expect.poll(() => emulator.clock.isRunning).toBe(false);
    await page.getByLabel("Jump to (UTC)").fill("2026-04-01T00:00:00");
    await page.getByRole("button", { name: "Jump" }).click();
    await expect.poll(() => emulator.clock.iso()).toBe("2026-04-01T00:00:00.000Z");
    await page.getByLabel("Advance by", { exact: true }).fill("soon");
    await page.getByRole("button", { name: "Advance", exact: true }).click();
    await expect.poll(() => textOf(page, ".problem")).toMatch(/^Expected milliseconds/);
    await page.getByText("Add a fault").click();
    await page.getByLabel(/^Operation/).selectOption("tools.list");
    await page.getByRole("button", { name: "Add fault" }).click();
    await expect.poll(() => emulator.faults.items).toMatchObject([{ operation: "tools.list", fault: { status: 503 } }]);
    await page.getByRole("button", { name: "Remove fault 1" }).click();
    await expect.poll(() => emulator.faults.items).toEqual([]);
    await page.getByLabel("Effect").selectOption("Never respond");
    await page.getByLabel("Run the operation first").check();
    await page.getByLabel(/^How many times/).fill("");
    await page.getByRole("button", { name: "Add fault" }).click();
    const hang = { fault: { connection: "hang", when: "after" }, remaining: null };
    await expect.poll(() => emulator.faults.items).toEqual([expect.objectContaining(hang)]);
    const inDeliveries = page.getByRole("region", { name: "Faults in deliveries" });
    await inDeliveries.getByText("Add").click();
    await page.getByLabel("Copies of each delivery").fill("3");
    await inDeliveries.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => emulator.deliveries.faults.copies).toBe(3);
    const inLog = page.getByRole("region", { name: "Faults in the execution log" });
    await inLog.getByText("Add").click();
    await page.getByLabel("Without request ids").check();
    await inLog.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => emulator.executionLog.faults.dropRequestIds).toBe(true);
  });

  test("replays a request, and reveals the secret of a subscription", async () => {
    const { page, emulator, svc } = await shown(emptyScene());
    const { id, secret } = await svc.webhookSubscriptions.create({
      webhook_url: "http://127.0.0.1:1/none",
      enabled_events: ["svc.trigger.message"],
    });
    await visit(page, "#/state/subscriptions");
    expect(await textOf(page, "tbody")).not.toContain(secret);
    await page.getByRole("button", { name: `Reveal the secret of ${id}` }).click();
    await expect.poll(() => textOf(page, "tbody")).toContain(secret);
    const body = { user_id: "ada", arguments: { text: "abc" }, version: "latest" };
    await svc.tools.execute("TEXTKIT_REVERSE", body);
    await visit(page, "#/log?q=REVERSE");
    await page.locator(".row").first().click();
    await page.getByRole("button", { name: "Replay the request" }).click();
    await expect.poll(() => emulator.requests.length).toBe(3);
    const [, first, second] = emulator.requests;
    expect(second).toMatchObject({ path: first?.path, body: first?.body, status: 200 });
    expect(JSON.parse(second?.body ?? "")).toEqual(body);
  });

  test("runs a tool from a form made from its schema", async () => {
    const { page, emulator } = await shown(emptyScene());
    await visit(page, "#/tools/TEXTKIT_REVERSE");
    await page.getByLabel(/^text/).fill("abc");
    await page.getByRole("button", { name: "Run tool" }).click();
    await expect.poll(() => textOf(page, '[aria-label="Result"]')).toContain("cba");
    expect(JSON.parse(emulator.requests.at(-1)?.body ?? "")).toMatchObject({ arguments: { text: "abc" } });
    expect(emulator.requests.at(-1)?.headers["x-api-key"]).toBe("ak_e...");
    await page.getByLabel(/^Version/).selectOption("00000000_00");
    await page.getByRole("button", { name: "Run tool" }).click();
    await expect.poll(() => JSON.parse(emulator.requests.at(-1)?.body ?? "").version).toBe("00000000_00");
  });

  test("stays fast with 10,000 requests, and shows all of them", async () => {
    const { page, emulator } = await shown(emptyScene());
    for (let sent = 0; sent < 10_000; sent += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => emulator.fetch(`${emulator.url}/${sent + index}`)));
    }
    await expect.poll(() => textOf(page, ".count"), { timeout: 20_000 }).toContain("10,000 of 10,000");
    expect(await page.locator(".row").count()).toBeLessThan(60);
    const watch = stopwatch();
    await page.locator(".list").focus();
    await page.keyboard.press("End");
    await expect.poll(() => textOf(page, ".title")).toMatch(/GET \/0$/);
    await page.keyboard.press("/");
    await page.keyboard.type("/77 ");
    await expect.poll(() => textOf(page, ".count")).not.toContain("10,000 of 10,000");
    // A bound that only a page that renders every row misses.
    watch.expectBelow(10_000);
    await fetch(`${emulator.url}/new`);
    await expect.poll(() => textOf(page, ".count")).toContain("the latest 10,000");
  });

  test("can be used again when the emulator was away, and says that it was", async () => {
    const { page, emulator } = await shown(emptyScene());
    await fetch(`${emulator.url}/before`);
    await page.locator(".row").first().waitFor();
    await emulator.close();
    await page.locator(".connection.lost").waitFor();
    expect(await page.locator(".row").count()).toBe(1);
  });

  test("shows the connect page in both themes without a violation, and leads back after a used link", async () => {
    const { emulator, svc, close } = await emptyScene();
    onTestFinished(close);
    for (const theme of ["light", "dark"] as const) {
      const { redirect_url } = await svc.connectedAccounts.link({
        auth_config_id: "ac_weather_demo",
        user_id: "ada",
        callback_url: `${emulator.url}/back`,
      });
      const { page, problems, close: closePage } = await open(browser, redirect_url, { theme });
      expect(await violations(page)).toEqual([]);
      await page.getByLabel(/API key/i).fill("wk");
      await page.getByRole("button", { name: "Connect" }).click();
      await expect.poll(() => page.url()).toContain("/back?status=success");
      await page.goto(redirect_url);
      expect(await violations(page)).toEqual([]);
      await page.getByRole("link", { name: /^Back to / }).click();
      await expect.poll(() => page.url()).toContain("/back?status=success");
      // The browser reports the 404 of the callback and the 410 of the used link.
      expect(problems.filter((problem) => !/status of 4(04|10)/.test(problem))).toEqual([]);
      await closePage();
    }
  });
});
