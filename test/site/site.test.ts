import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executablePath, launch, open, violations } from "../inspector/browser.js";
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
];
const documents = () => readdirSync(join(site, "documents")).map((name) => `documents/${name}`);

describe("the site", () => {
  test("contains the guides and every entry point", () => {
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: object };
    const entries = Object.keys(exports).filter((entry) => !entry.endsWith(".json"));
    const modules = entries.map((entry) => `${`svc-sdk${entry.slice(1)}`.replaceAll("/", "_")}.html`);
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
    expect(specs.length).toBe((page.match(/tsd-tag-request/g) ?? []).length);
    expect(page).toMatch(/tsd-tag-spec[\s\S]*?Tool endpoints/);
  });

  test("shows the section of the specification for requests and responses", () => {
    const ofPart = (name: string) => readFileSync(join(site, `interfaces/svc-sdk.${name}.html`), "utf8");
    expect(ofPart("AuthConfigPage")).toMatch(/tsd-tag-spec[\s\S]*?Auth config/);
    expect(ofPart("UpdateConnectedAccountBody")).toContain("Connected account update");
  });

  test("has the pages for agents at their usual paths", () => {
    for (const name of ["llms.txt", "llms-full.txt"])
      expect(readFileSync(join(site, name), "utf8")).toBe(readFileSync(join(root, "dist", name), "utf8"));
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

describe.skipIf(!executablePath)("the site in a browser", () => {
  test.each([
    ["light", 1_440],
    ["dark", 390],
  ] as const)("has no violation that axe finds: %s, %i pixels wide", { timeout: 600_000 }, async (theme, width) => {
    const [origin, browser] = [await served(), await launch()];
    try {
      const guides = ["documents/Guides.html", "documents/Troubleshooting.html"];
      for (const path of [...PAGES, ...guides]) {
        const { page, problems, close } = await open(browser, `${origin}/${path}`, { theme, width });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect({ path, overflow, violations: await violations(page), problems }).toEqual({
          path,
          overflow: 0,
          violations: [],
          problems: [],
        });
        await close();
      }
    } finally {
      await browser.close();
    }
  });

  test("finds a guide by the words of its task", async () => {
    const [origin, browser] = [await served(), await launch()];
    try {
      const { page } = await open(browser, `${origin}/index.html`, { theme: "light" });
      await page.click("#tsd-search-trigger");
      await page.fill("#tsd-search-input", "reconnect account web app");
      const results = page.locator("#tsd-search-results li a");
      await results.first().waitFor();
      expect((await results.allInnerTexts()).slice(0, 5)).toContainEqual(expect.stringContaining("A complete web app"));
    } finally {
      await browser.close();
    }
  });
});
