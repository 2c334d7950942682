// Runs a bundled script of scenarios in a page of the emulator's own origin, under a strict Content-Security-Policy.
// Usage: chromium.mjs <program> <script> <connection as JSON>
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [executablePath, script, connection] = process.argv.slice(2);
const { baseUrl } = JSON.parse(connection);
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'";
const main = `
  const violations = [];
  document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => violations.push(violatedDirective));
  const observe = async () => {
    const { run } = await import("./scenarios.mjs");
    const connection = await (await fetch("./connection.json")).json();
    return { seen: await run(connection), violations };
  };
  globalThis.outcome = observe().catch((error) => ({ failed: String(error) }));
`;
const files = {
  "index.html": ["text/html", `<!doctype html><script type="module" src="./main.mjs"></script>`],
  "main.mjs": ["text/javascript", main],
  "scenarios.mjs": ["text/javascript", readFileSync(script, "utf8")],
  "connection.json": ["application/json", connection],
};

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.error(error));
  await page.route(`${baseUrl}/page/*`, (route) => {
    const file = files[new URL(route.request().url()).pathname.slice("/page/".length)];
    if (!file) return route.fulfill({ status: 404 });
    const [contentType, body] = file;
    return route.fulfill({ contentType, body, headers: { "content-security-policy": policy } });
  });
  // The control plane rejects pages, so this program passes their faults on.
  await page.route(`${baseUrl}/_emulator/*`, async (route) => {
    const request = route.request();
    const response = await fetch(request.url(), { method: request.method(), body: request.postData() });
    return route.fulfill({ status: response.status, body: await response.text() });
  });
  await page.goto(`${baseUrl}/page/index.html`);
  await page.waitForFunction(() => globalThis.outcome !== undefined);
  const { seen, violations, failed } = await page.evaluate(() => globalThis.outcome);
  if (failed) throw new Error(failed);
  if (violations.length > 0) throw new Error(`the page broke its Content-Security-Policy: ${violations.join()}`);
  console.log(JSON.stringify(seen));
} finally {
  await browser.close();
}
