import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { executablePath, launch, open, type View, violations } from "../emulator/inspector/browser.js";
import { CAUSES, messageOf } from "../package/causes.js";
import { serve } from "../support/ports.js";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const site = mkdtempSync(join(tmpdir(), "svc-site-"));

beforeAll(async () => {
  const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
  // Its warnings are errors: a dead link, a missing doc.
  await run(process.execPath, [typedoc, "--options", "scripts/docs/typedoc.config.mjs", "--out", site], { cwd: root });
}, 120_000);

afterAll(() => rmSync(site, { recursive: true, force: true }));

const PAGES = [
  "index.html",
  "modules/svc-sdk.html",
  "classes/svc-sdk.Tools.html",
  "interfaces/svc-sdk.SvcOptions.html",
  // Long types outside of signatures.
  "functions/svc-sdk_testing.signedDelivery.html",
  "types/svc-sdk.Middleware.html",
];
const documents = () => readdirSync(join(site, "documents")).map((name) => `documents/${name}`);

describe("the site", () => {
  test("contains the guides and every entry point", () => {
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: object };
    const entries = Object.keys(exports).filter((entry) => !entry.endsWith(".json"));
    const modules = entries.map((entry) => `${`svc-sdk${entry.slice(1)}`.replaceAll("/", "_")}.html`);
    // The contract's schemas are a namespace, which has a page too.
    modules.push("svc-sdk_contract.shapes.html");
    expect(readdirSync(join(site, "modules")).sort()).toEqual(modules.sort());
    const guides = readdirSync(join(root, "docs/guide")).length;
    expect(documents().length).toBeGreaterThan(guides);
  });

  test("names headings that are code in the contents and in links", () => {
    const page = readFileSync(join(site, "documents/Troubleshooting.html"), "utf8");
    expect(page).toContain('<h3 id="cannot-use-import-statement-outside-a-module"');
    expect(page).toContain('<a href="#cannot-use-import-statement-outside-a-module"><span>Cannot');
  });

  test("shows a method's request and its section of the specification", () => {
    const page = readFileSync(join(site, "classes/svc-sdk.Tools.html"), "utf8");
    expect(page).toContain("POST /api/v3.1/tools/execute/{tool_slug}");
    const specs = page.match(/tsd-tag-spec/g) ?? [];
    const requests = page.match(/tsd-tag-request/g) ?? [];
    // One for each method, and one for the class. The two signatures of settle() use the requests of others.
    expect(specs.length).toBe(requests.length + 2 + 1);
    expect(page).toMatch(/tsd-tag-spec[\s\S]*?Tool endpoints/);
  });

  test("shows the section of the specification for requests and responses", () => {
    const ofPart = (name: string) => readFileSync(join(site, `interfaces/svc-sdk.${name}.html`), "utf8");
    expect(ofPart("AuthConfigPage")).toMatch(/tsd-tag-spec[\s\S]*?Auth config/);
    expect(ofPart("UpdateConnectedAccountBody")).toMatch(/tsd-tag-spec[\s\S]*?Connected account/);
  });

  test("has the pages for agents at their usual paths", () => {
    const reference = "llms-reference.txt";
    expect(readFileSync(join(site, reference), "utf8")).toBe(readFileSync(join(root, "dist", reference), "utf8"));
    const links = [...readFileSync(join(site, "llms.txt"), "utf8").matchAll(/\]\((documents\/[^)]+)\)/g)];
    expect(links.length).toBeGreaterThan(20);
    for (const [, page = ""] of links) expect(existsSync(join(site, page)), page).toBe(true);
  });
});

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/** Serves the site until the test is over. */
async function served(): Promise<string> {
  const url = await serve(({ url: path = "" }, response) => {
    const file = join(site, decodeURIComponent(path.replace(/[?#].*/, "")));
    if (!existsSync(file)) return void response.writeHead(204).end(); // The browser asks for an icon.
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
  });
  return new URL(url).origin;
}

type Screen = readonly [theme: View["theme"], width: number];
const SCREENS: readonly Screen[] = [
  ["light", 1_440],
  ["dark", 390],
];
const MORE_SCREENS: readonly Screen[] = [
  ["light", 1_600],
  ["dark", 1_600],
  ["light", 390],
];

describe.skipIf(!executablePath)("the site in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test.each([...SCREENS, ...MORE_SCREENS])(
    "can be read by everyone: %s, %i pixels wide",
    { timeout: 1_800_000 },
    async (theme, width) => {
      const origin = await served();
      const more = MORE_SCREENS.findIndex((screen) => screen[0] === theme && screen[1] === width);
      const all = [...PAGES, ...documents()];
      // Every page in both themes and the widths of most readers, and in one of the other screens.
      const paths = more === -1 ? all : all.filter((_, index) => index % MORE_SCREENS.length === more);
      // The navigation is the same on each page: it is checked once for each kind.
      const withNavigation = [...PAGES, documents()[0]];
      for (const path of paths) {
        const { page, problems, close } = await open(browser, `${origin}/${path}`, { theme, width });
        const { overflow, isDark, contrast, fontSize } = await page.evaluate(measure);
        if (!withNavigation.includes(path)) await removeNavigation(page);
        expect({ path, overflow, isDark, violations: await violations(page), problems }).toEqual({
          path,
          overflow: 0,
          isDark: theme === "dark",
          violations: [],
          problems: [],
        });
        expect(contrast, path).toBeGreaterThanOrEqual(7);
        expect(fontSize, path).toBeGreaterThanOrEqual(16);
        await close();
      }
    },
  );

  test.each(SCREENS)("has a search that everyone can use: %s, %i pixels wide", async (theme, width) => {
    const { page, results, problems } = await search(browser, { theme, width }, "tools");
    expect(await results.count()).toBe(10);
    await removeNavigation(page);
    expect({ violations: await violations(page), problems }).toEqual({ violations: [], problems: [] });
  });

  test("finds a method by its name", async () => {
    const { page, results, problems } = await search(browser, { theme: "light", width: 1_600 }, "tools.execute");
    expect(await results.first().innerText()).toContain("Tools.execute");
    await results.first().click();
    await page.waitForURL((url) => url.pathname !== "/index.html");
    const { pathname, hash } = new URL(page.url());
    expect(pathname + hash).toBe("/classes/svc-sdk.Tools.html#execute");
    const section = page.locator(`${hash} >> xpath=ancestor::section`).first();
    expect(await section.innerText()).toContain("Runs a tool for a user.");
    expect(problems).toEqual([]);
  });

  test("finds a guide by the words of its task", async () => {
    const { results } = await search(browser, { theme: "light" }, "reconnect account web app");
    expect(await results.first().innerText()).toBe("A complete web app");
  });

  test("opens the first result with Enter, and the next one after the arrow down", async () => {
    const { page } = await search(browser, { theme: "light" }, "tools.execute");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/classes/svc-sdk.Tools.html#execute");
    const { page: other, results } = await search(browser, { theme: "light" }, "tools.execute");
    const next = new URL((await results.nth(1).getAttribute("href")) ?? "", other.url()).href;
    await other.keyboard.press("ArrowDown");
    await other.keyboard.press("Enter");
    await other.waitForURL(next);
  });

  test("takes nothing for syntax or markup, and reports that nothing was found", async () => {
    const { page, results, problems } = await search(browser, { theme: "light" }, "tools");
    for (const typed of ["^~*:+- <img src=x onerror=alert(1)>", "name:x", "zzzzqqqq"])
      await page.fill("#tsd-search-input", typed);
    expect(await results.count()).toBe(0);
    expect(await page.locator("#tsd-search-status").innerText()).toBe('No results for "zzzzqqqq"');
    expect(problems).toEqual([]);
  });

  test("finds the fix of an error by its whole message, pasted with all its lines", async () => {
    const { page, results, problems } = await search(browser, { theme: "light" }, "tools");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    for (const [heading, message] of await pasted()) {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), message);
      await page.focus("#tsd-search-input");
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.press("ControlOrMeta+v");
      expect(await results.first().innerText(), message).toBe(`Troubleshooting › ${heading}`);
    }
    await results.first().click();
    await page.waitForURL("**/documents/Troubleshooting.html#*");
    expect(problems).toEqual([]);
  });
});

/** Searches as a reader does: opens the search and types. */
async function search(browser: Browser, view: View, words: string) {
  const origin = await served();
  const { page, problems, close } = await open(browser, `${origin}/index.html`, view);
  onTestFinished(close);
  await page.click("#tsd-search-trigger");
  await page.fill("#tsd-search-input", words);
  const results = page.locator("#tsd-search-results li a");
  await results.first().waitFor();
  return { page, results, problems };
}

/** Messages with the heading of what fixes them: all that the library prints, and some of other values. */
async function pasted(): Promise<readonly (readonly [heading: string, message: string])[]> {
  const printed: [heading: string, message: string][] = [];
  // One after the other: they share an emulator, and inject its faults.
  for (const [heading, cause] of Object.entries(CAUSES)) printed.push([heading, await messageOf(cause)]);
  return [
    ...printed,
    ["Tool GITHUB_CREATE_ISSUE not found", "NotFoundError: tools.get: 404 Tool SLACK_SEND not found. [request 7]"],
    ["and the tolerance is 300 s", "verifyWebhook: webhook-timestamp is 99 s ago, and the tolerance is 60 s."],
    [
      "ECONNREFUSED",
      "TypeError: fetch failed\n    at node:internal/deps/undici/undici:13510:13 {\n  [cause]: Error: connect ECONNREFUSED 127.0.0.1:4747\n      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16) {\n    errno: -111,\n    code: 'ECONNREFUSED'",
    ],
  ];
}

/** Removes the tree of all pages: the same on each of them, and most of what axe has to read. */
async function removeNavigation(page: Page): Promise<void> {
  await page.locator("#tsd-nav-container").evaluate((tree) => tree.replaceChildren());
}

/** Runs in the page: how far it is wider than the screen, and how well its text can be read. */
function measure() {
  const main = document.querySelector(".col-content") ?? document.body;
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const text = luminance(getComputedStyle(main).color);
  const background = luminance(getComputedStyle(document.body).backgroundColor);
  return {
    overflow: document.documentElement.scrollWidth - innerWidth,
    fontSize: Number.parseFloat(getComputedStyle(main).fontSize),
    contrast: (Math.max(text, background) + 0.05) / (Math.min(text, background) + 0.05),
    isDark: background < text,
  };
}
