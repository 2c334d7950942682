import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { executablePath, launch, open, type View, violations } from "./browser.js";
import { emptyScene, fullScene, type Scene } from "./scene.js";

let browser: Browser;
beforeAll(async () => {
  if (executablePath) browser = await launch();
});
afterAll(() => browser?.close());

async function shown(scene: Promise<Scene>, hash: string, view: View = { theme: "light" }) {
  const opened = await scene;
  onTestFinished(opened.close);
  const page = await open(browser, `${opened.emulator.url}/${hash}`, view);
  onTestFinished(page.close);
  await page.page.waitForSelector(".connection.live");
  return { ...opened, ...page };
}

/** The important words of rows that don't fit. */
function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".row")].flatMap((row) => {
      const [word, frame] = [row.querySelector(".what b"), row.querySelector(".what")];
      const isCut = word && frame && word.getBoundingClientRect().right > frame.getBoundingClientRect().right + 1;
      return isCut ? [word.textContent] : [];
    }),
  );
}

describe.skipIf(!executablePath)("a person at the inspector", () => {
  test.each([1_440, 390])("reads every tool and operation in full, %i pixels wide", async (width) => {
    const { page, emulator } = await shown(fullScene(), "#/runs", { theme: "light", width });
    const details = width > 1_000 ? `/${emulator.runs[0]?.id}` : "";
    for (const hash of [`#/runs${details}`, "#/log", width > 1_000 ? "#/log/2" : "#/log", "#/deliveries"]) {
      await page.goto(`${emulator.url}/${hash}`);
      await page.locator(".row").first().waitFor();
      expect([hash, await cutWords(page)]).toEqual([hash, []]);
    }
  });

  test("reads the calls of each turn in order, below their conversation, each with its time", async () => {
    const { page } = await shown(fullScene(), "#/runs");
    await expect
      .poll(() => page.locator(".heading b").allInnerTexts())
      .toEqual(["chat-3", "chat-2", "chat-1", "chat-1"]);
    const names = await page.locator(".row b").allInnerTexts();
    expect(names.slice(-3)).toEqual([
      ...["GITHUB_LIST_REPOSITORY_ISSUES", "GITHUB_CREATE_AN_ISSUE", "GITHUB_STAR_A_REPOSITORY"],
    ]);
    expect(await page.locator(".row .bar-frame i").count()).toBeGreaterThan(6);
    await page.locator(".row", { hasText: "Fix the door" }).last().click();
    await expect
      .poll(() => page.locator(".waterfall .label").allInnerTexts())
      .toEqual(expect.arrayContaining([expect.stringContaining("Approval: approved by ada@example.com")]));
    await page.locator(".waterfall a", { hasText: "tools.execute" }).click();
    await expect.poll(() => page.url()).toContain("#/log/");
  });

  test.each([1_280, 390])("reads a turn as a waterfall with its times in words, %i pixels wide", async (width) => {
    const { page, emulator, problems } = await shown(fullScene(), "#/runs", { theme: "dark", width });
    await page.locator(".heading a").last().click();
    await page.getByRole("heading", { name: "chat-1, turn 1" }).waitFor();
    const lines = await page.locator(".waterfall li").allInnerTexts();
    const words = lines.map((line) => line.replace(/\s+/g, " "));
    expect(words).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^GITHUB_LIST_REPOSITORY_ISSUES succeeded [\d.]+ ms at 0$/),
        expect.stringMatching(/^tools.execute 200 [\d.]+ ms at [\d.]+ ms$/),
        expect.stringMatching(/^Approval: approved by ada@example.com [\d.]+ ms at [\d.]+ ms$/),
        expect.stringMatching(/^GITHUB_STAR_A_REPOSITORY denied /),
      ]),
    );
    expect([await violations(page), problems]).toEqual([[], []]);
    await page.locator(".waterfall a", { hasText: "GITHUB_CREATE_AN_ISSUE" }).click();
    await page.getByRole("link", { name: "turn 1", exact: true }).click();
    await expect.poll(() => page.url()).toContain(encodeURIComponent(`turn:${emulator.runs[0]?.turn}`));
  });

  test("is led from every place to the call that waits for a decision", async () => {
    const { page } = await shown(fullScene(), "#/log");
    await expect.poll(() => page.locator(".tally.loud").innerText()).toBe("2 waiting");
    await page.keyboard.press("2");
    await page.getByRole("link", { name: "Decide" }).click();
    await page.getByRole("button", { name: "Approve" }).waitFor();
  });

  test("chooses by user, toolkit, and state, in the URL", async () => {
    const { page } = await shown(fullScene(), "#/runs");
    await page.getByLabel("Toolkit").selectOption("textkit");
    await expect.poll(() => page.locator(".row b").allInnerTexts()).toEqual(["TEXTKIT_COUNT_WORDS"]);
    expect(page.url()).toContain("toolkit=textkit");
    await page.keyboard.press("1");
    await page.getByLabel("User").selectOption("ada");
    await expect.poll(() => page.locator(".row b").allInnerTexts()).toEqual(["connectedAccounts.link"]);
    await page.keyboard.press("4");
    await page.getByLabel("Status").selectOption("EXPIRED");
    await expect.poll(() => page.locator("tbody tr").count()).toBe(2);
    await page.keyboard.press("6");
    await page.getByLabel("Toolkit").selectOption("slack");
    await expect
      .poll(async () => (await page.locator(".row b").allInnerTexts()).every((name) => name.startsWith("SLACK_")))
      .toBe(true);
  });

  test("sees duplicates and the next attempt of deliveries, and resends all failed ones", async () => {
    const scene = await shown(emptyScene(), "#/deliveries");
    const { page, svc, emulator } = scene;
    const bodies = ['{"result":"handled"}', '{"result":"duplicate"}'];
    let isDown = true;
    const { createServer } = await import("node:http");
    const receiver = createServer((incoming, outgoing) => {
      incoming.resume();
      outgoing.writeHead(isDown ? 500 : 200).end(isDown ? "" : (bodies.shift() ?? "{}"));
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void receiver.close());
    const address = receiver.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await svc.webhookSubscriptions.create({
      webhook_url: `http://127.0.0.1:${port}/hooks`,
      enabled_events: ["svc.connected_account.expired"],
    });
    emulator.accounts.expire("ca_github_demo");
    emulator.accounts.expire("ca_slack_demo");
    await emulator.waitForDeliveries();
    await expect.poll(() => page.locator(".next").first().innerText()).toBe("next at 09:30:01");
    await page.locator(".row").first().click();
    await page.getByRole("button", { name: "Advance the clock to it" }).click();
    await expect.poll(() => emulator.clock.iso()).toBe("2026-03-02T09:30:01.000Z");
    await emulator.waitForDeliveries();
    emulator.clock.advance("1m");
    await emulator.waitForDeliveries();
    await expect.poll(() => page.locator(".tally.bad").innerText()).toBe("2 failed");
    isDown = false;
    await page.getByRole("button", { name: "Resend 2 failed" }).click();
    await expect.poll(() => page.locator(".tally.bad").count()).toBe(0);
    await page.getByRole("button", { name: "Duplicate" }).click();
    await expect.poll(() => page.locator(".row").allInnerTexts()).toEqual([expect.stringContaining("duplicate")]);
    const times = await page.locator(".row time").allInnerTexts();
    expect(times).toEqual(times.toSorted().reverse());
  });

  test("lists the keys with ?, and exports a run with its requests", async () => {
    const { page, emulator } = await shown(fullScene(), "#/runs");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("Next or previous row").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    const id = emulator.runs[0]?.id;
    await page.goto(`${emulator.url}/#/runs/${id}`);
    const download = page.waitForEvent("download");
    await page.locator(".detail").getByRole("button", { name: "Export" }).click();
    const { runs } = JSON.parse(readFileSync(await (await download).path(), "utf8"));
    expect(runs).toMatchObject([
      { id, requests: [{ operation: "tools.execute", headers: { "x-api-key": "ak_e..." } }] },
    ]);
  });

  test("sees the status and the actions of a record on a phone, without scrolling sideways", async () => {
    const { page } = await shown(fullScene(), "#/state/accounts", { theme: "dark", width: 390 });
    const card = page.locator("tbody tr", { hasText: "ca_github_demo" });
    for (const part of [card.locator(".badge"), card.getByRole("button", { name: /^Revoke/ })]) {
      const box = await part.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    }
    const titleOf = (cell: HTMLElement | SVGElement) => getComputedStyle(cell, "::before").content;
    expect(await card.locator("td").nth(1).evaluate(titleOf)).toContain("Toolkit");
  });
});
