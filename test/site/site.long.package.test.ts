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
import { sized } from "../support/size.js";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const site = mkdtempSync(join(tmpdir(), "svc-site-"));

beforeAll(async () => {
  const binary = (path: string, ...parameters: string[]) =>
    run(process.execPath, [join(root, "node_modules", path), ...parameters], { cwd: root });
  // A dead link fails either of them.
  await binary("typedoc/bin/typedoc", "--options", "docs/.vitepress/api.mjs");
  await binary("vitepress/bin/vitepress.js", "build", "docs", "--outDir", site);
}, 600_000);

afterAll(() => rmSync(site, { recursive: true, force: true }));

/** Pages of each kind, among them those with the longest types. */
const PAGES = [
  "index.html",
  "api/index.html",
  "api/Tools.html",
  "api/Client.html",
  "api/svc-sdk.testing.html",
  "api/svc-sdk.agents.anthropic.html",
];
const guides = readdirSync(join(root, "docs/guide")).map(
  (name) => `guide/${name.replace("README", "index").replace(".md", ".html")}`,
);
const textOf = (path: string) => readFileSync(join(site, path), "utf8");

describe("the site", () => {
  test("contains the guides and every entry point", () => {
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: object };
    const entries = Object.keys(exports).filter((entry) => entry !== "." && !entry.endsWith(".json"));
    const reference = entries.map((entry) => `api/${`svc-sdk${entry.slice(1)}`.replaceAll("/", ".")}.html`);
    expect([...reference, ...guides].filter((path) => !existsSync(join(site, path)))).toEqual([]);
  });

  test("names the class of an error, with a link", () => {
    expect(textOf("api/Tools.html")).toMatch(/<a href="[^"]*Errors.html#api-notfounderror">NotFoundError<\/a> 404/);
  });

  test("links only to pages and headings that exist", () => {
    const pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));
    const names = new Map(
      pages.map((path) => [path, new Set([...textOf(path).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const dead = pages.flatMap((path) =>
      [...textOf(path).matchAll(/<a [^>]*href="([^"]+)"/g)]
        .map(([, href = ""]) => new URL(href.replaceAll("&amp;", "&"), `http://site/${path}`))
        .filter(({ host, pathname, hash }) => {
          const linked = names.get(
            decodeURI(pathname)
              .replace(/^\//, "")
              .replace(/(^|\/)$/, "$1index.html"),
          );
          return host === "site" && !(hash === "" ? linked : linked?.has(decodeURIComponent(hash.slice(1))));
        })
        .map(({ href }) => `${path}: ${href}`),
    );
    expect([...new Set(dead)]).toEqual([]);
  });

  test("links a guide to the API reference of what its code imports and its text calls", () => {
    const [, links = ""] = /API reference: (.*)/.exec(textOf("guide/agent-calls.html")) ?? [];
    // The class Toolset has the first anchor of this name.
    expect(links).toMatch(/href="\/api\/svc-sdk\.agents\.html#api-toolset-\d"><code>toolset</);
    expect(links).toContain('href="/api/svc-sdk.stores.html#api-postgresexecutions"');
    expect(textOf("options.html")).toContain('href="/api/svc-sdk.webhooks.html#api-createreceiver"');
  });

  test("has the pages for agents at their usual paths", () => {
    const reference = "llms-reference.txt";
    expect(textOf(reference)).toBe(readFileSync(join(root, "dist", reference), "utf8"));
    const links = [...textOf("llms.txt").matchAll(/\]\(([^)]+)\)/g)];
    expect(links.length).toBeGreaterThan(20);
    for (const [, page = ""] of links) expect(existsSync(join(site, page)), page).toBe(true);
  });
});

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
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

const SCREENS = [
  ["light", 1_440],
  ["dark", 390],
  ["light", 1_600],
  ["dark", 1_600],
  ["light", 390],
] as const;

describe.skipIf(!executablePath)("the site in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test.each(SCREENS.map((screen, index) => [...screen, index] as const))(
    "can be read by everyone: %s, %i pixels wide",
    { timeout: 1_800_000 },
    async (theme, width, screen) => {
      const origin = await served();
      // Each kind of page on every screen, and each guide on one of them: on every screen in the full run.
      const isHere = (_: string, index: number) => sized(false, index % SCREENS.length === screen, true);
      const paths = [...PAGES, ...guides.filter(isHere)];
      // The navigation is the same on each page: it is checked once for each kind.
      const withNavigation = [PAGES[0], PAGES[1], guides[0]];
      for (const path of paths) {
        const { page, problems, close } = await open(browser, `${origin}/${path}`, { theme, width });
        const { overflow, isDark, contrast, fontSize, themes } = await page.evaluate(measure);
        if (!withNavigation.includes(path)) await removeNavigation(page);
        const otherThemes = themes.filter((shown) => shown !== theme);
        expect({ path, overflow, isDark, otherThemes, violations: await violations(page), problems }).toEqual({
          path,
          overflow: 0,
          isDark: theme === "dark",
          otherThemes: [],
          violations: [],
          problems: [],
        });
        expect(contrast, path).toBeGreaterThanOrEqual(7);
        expect(fontSize, path).toBeGreaterThanOrEqual(16);
        await close();
      }
    },
  );

  test.each(SCREENS.slice(0, 2))("has a search that everyone can use: %s, %i pixels wide", async (theme, width) => {
    const { page, results, problems } = await search(browser, { theme, width }, "tools");
    expect(await results.count()).toBeGreaterThan(5);
    await removeNavigation(page);
    expect({ found: await violations(page), problems }).toEqual({ found: [], problems: [] });
  });

  test("finds a guide by the words of its task", async () => {
    const { results } = await search(browser, { theme: "light" }, "reconnect account web app");
    expect(await results.first().innerText()).toContain("A complete web app");
  });

  test("opens the first result with Enter", async () => {
    const { page } = await search(browser, { theme: "light" }, "a complete web app");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/guide/web-app.html*");
  });

  test("finds the fix of an error by its whole message, pasted with all its lines", async () => {
    const { page, results, problems } = await search(browser, { theme: "light" }, "tools");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    for (const [heading, message] of await pasted()) {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), message);
      await page.focus(FIELD);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.press("ControlOrMeta+v");
      const first = () => results.first().innerText();
      await expect.poll(first, { message, timeout: 10_000 }).toContain(heading);
    }
    await results.first().click();
    await page.waitForURL("**/guide/troubleshooting.html#*");
    expect(problems).toEqual([]);
  });
});

const FIELD = "#localsearch-input";

/** Searches as a reader does: opens the search and types. */
async function search(browser: Browser, view: View, words: string) {
  const origin = await served();
  const { page, problems, close } = await open(browser, `${origin}/index.html`, view);
  onTestFinished(close);
  await page.click(".VPNavBarSearch button");
  await page.fill(FIELD, words);
  const results = page.locator("#localsearch-list .result");
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

/** Removes the navigation of all pages: the same on each of them, and much of what axe has to read. */
async function removeNavigation(page: Page): Promise<void> {
  await page.locator(".VPNav, .VPSidebar").evaluateAll((parts) => {
    for (const part of parts) part.replaceChildren();
  });
}

/** Runs in the page: how far it is wider than the screen, how well its text can be read, and which pictures it shows. */
function measure() {
  const main = document.querySelector(".vp-doc p") ?? document.body;
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
    themes: [...document.images].flatMap((image) => {
      const [, theme] = /-(light|dark)\./.exec(image.src) ?? [];
      return theme !== undefined && image.checkVisibility() ? [theme] : [];
    }),
  };
}
