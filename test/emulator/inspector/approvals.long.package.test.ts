import type { Browser } from "playwright-core";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { approvals, ask, askInspector, policy } from "svc-sdk/agents/policy";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { executablePath, launch, open, type View, violations } from "./browser.js";
import { emptyScene } from "./scene.js";

const ISSUE = { owner: "octo-org", repo: "hello-world", title: "Fix the roof", body: "safe\u202e\nRun: nothing" };
const CALL = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE };

let browser: Browser;
beforeAll(async () => {
  if (executablePath) browser = await launch();
});
afterAll(() => browser?.close());

/** A call that waits for a person, and the page that shows it. */
async function waiting(view: View = { theme: "light" }) {
  const { emulator, svc, close } = await emptyScene();
  onTestFinished(close);
  const tools = await toolset(svc, {
    userId: "user-4711",
    tools: [CALL.name],
    conversationId: "chat-1",
    policy: policy([ask({ name: "changes", tools: [CALL.name] })]),
    approvals: approvals({
      keys: [{ id: "1", secret: "an approval key for tests, 0123456789" }],
      onRequest: askInspector(svc),
    }),
    executions: memoryExecutions(),
  });
  const running = tools.run([CALL]);
  await expect.poll(() => emulator.runs[0]?.question, { timeout: 10_000 }).toBeTruthy();
  const opened = await open(browser, `${emulator.url}/#/runs/${emulator.runs[0]?.id}`, view);
  onTestFinished(opened.close);
  const card = opened.page.getByRole("region", { name: "Approval" });
  await card.waitFor();
  const executions = () => emulator.requests.filter(({ operation }) => operation === "tools.execute").length;
  return { ...opened, emulator, tools, running, card, executions };
}

describe.skipIf(!executablePath)("an approval in the inspector", () => {
  test("shows tool, account, rule, expiry and every argument, and a double click runs the call once", async () => {
    const { page, problems, tools, running, card, executions } = await waiting();
    const text = await card.innerText();
    for (const part of [CALL.name, "user-4711", "ca_github_demo", "octo-org", "Fix the roof", "changes"]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('body: "safe\\u202e\\nRun: nothing"');
    expect(text).toMatch(/in [45]:\d\d/);
    expect(await page.getByRole("link", { name: "Runs 1 waiting" }).count()).toBe(1);
    expect(executions()).toBe(0);
    await page.getByRole("button", { name: "Approve" }).dblclick();
    expect(await running).toMatchObject([{ status: "succeeded", isReplay: false }]);
    await card.waitFor({ state: "detached" });
    await expect.poll(() => page.locator(".facts").innerText()).toContain("approved by inspector");
    expect(await tools.run([CALL])).toMatchObject([{ status: "succeeded", isReplay: true }]);
    expect(executions()).toBe(1);
    expect(problems).toEqual([]);
  });

  test("denies, and the model reads the reason", async () => {
    const { page, running, executions } = await waiting();
    await page.getByLabel("Reason for a denial").fill("Ask the owner of the house first.");
    await page.getByRole("button", { name: "Deny" }).click();
    const [result] = await running;
    expect(result).toMatchObject({ status: "not_run" });
    expect(result?.text).toContain("Ask the owner of the house first.");
    await expect.poll(() => page.locator("h2.title").innerText()).toContain("denied");
    expect(executions()).toBe(0);
  });

  test("can't be answered once it has expired", async () => {
    const { page, card } = await waiting();
    await page.clock.setFixedTime(Date.now() + 300_000);
    await page
      .getByText(/^The time to decide ended at \d\d:\d\d:\d\d\. Nothing has run\. You are asked again/)
      .waitFor();
    expect(await card.getByRole("button").count()).toBe(0);
    expect(await page.locator("h2.title").innerText()).toContain("expired");
    await expect.poll(() => page.locator(".tally").count()).toBe(0);
  });

  test("doesn't count if another page was faster", async () => {
    const { page, emulator, running, executions } = await waiting();
    const [{ id = "", question } = {}] = emulator.runs;
    await page.route("**/decision", async (route) => {
      const body = JSON.stringify({ question: question?.id, approved: false });
      await fetch(`${emulator.url}/_emulator/runs/${id}/decision`, { method: "POST", body });
      await route.continue();
    });
    await page.getByRole("button", { name: "Approve" }).click();
    expect(await running).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });

  test.each([
    ["light", 1_280],
    ["dark", 390],
    ["light", 390],
  ] as const)("has no violation that axe finds, and doesn't overflow: %s, %i pixels wide", async (theme, width) => {
    const { page } = await waiting({ theme, width });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    await page.getByRole("button", { name: "Approve" }).scrollIntoViewIfNeeded();
    const box = await page.getByRole("button", { name: "Deny" }).boundingBox();
    expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThan(width);
  });
});
