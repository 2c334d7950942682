// Looks at the documentation site as people do: on a phone in dark mode, on a wide screen in light mode, and searching.
// Usage: site.mjs <program> <folder of the site> <pages as JSON>
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const [executablePath, folder, pages] = process.argv.slice(2);
const ORIGIN = "http://site.localhost";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const VIEWS = [
  { width: 390, scheme: "dark" },
  { width: 1600, scheme: "light" },
];

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const problems = [];
  const views = [];
  for (const { width, scheme } of VIEWS) {
    const page = await open(width, scheme, problems);
    for (const path of JSON.parse(pages)) {
      await page.goto(`${ORIGIN}/${path}`);
      views.push({ path, width, scheme, ...(await page.evaluate(measure)) });
    }
    await page.close();
  }
  console.log(JSON.stringify({ problems, views, found: await search("tools.execute", problems) }));
} finally {
  await browser.close();
}

async function open(width, colorScheme, problems) {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  page.on("pageerror", (error) => problems.push(`${page.url()}: ${error}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(`${page.url()}: ${message.text()}`);
  });
  await page.route(`${ORIGIN}/**`, (route) => {
    const path = decodeURIComponent(new URL(route.request().url()).pathname);
    // Asked for by the browser itself.
    if (path === "/favicon.ico") return route.fulfill({ status: 204 });
    try {
      return route.fulfill({ contentType: TYPES[extname(path)], body: readFileSync(join(folder, path)) });
    } catch {
      return route.fulfill({ status: 404 });
    }
  });
  return page;
}

async function search(words, problems) {
  const page = await open(1600, "light", problems);
  await page.goto(`${ORIGIN}/index.html`);
  await page.click("#tsd-search-trigger");
  await page.fill("#tsd-search-input", words);
  const first = page.locator("#tsd-search-results li a").first();
  await first.waitFor();
  const name = await first.innerText();
  await first.click();
  await page.waitForURL((url) => url.pathname !== "/index.html");
  const { pathname, hash } = new URL(page.url());
  const text = await page.locator(`${hash} >> xpath=ancestor::section`).first().innerText();
  return { name, address: pathname + hash, text };
}

/** Runs in the page: how far it is wider than the screen, and how well its text stands out. */
function measure() {
  const main = document.querySelector(".col-content");
  const luminance = (color) => {
    const [red, green, blue] = color.match(/[\d.]+/g).map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [text, page] = [getComputedStyle(main).color, getComputedStyle(document.body).backgroundColor].map(luminance);
  return {
    overflow: document.documentElement.scrollWidth - innerWidth,
    fontSize: Number.parseFloat(getComputedStyle(main).fontSize),
    contrast: (Math.max(text, page) + 0.05) / (Math.min(text, page) + 0.05),
    isDark: page < text,
  };
}
