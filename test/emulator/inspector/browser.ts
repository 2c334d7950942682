import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

/** The machine's Chromium; `undefined` if it has none. */
export const executablePath = ["chromium-headless-shell", "chromium", "google-chrome"]
  .flatMap((name) => (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)))
  .find((path) => globSync(path).length > 0);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Starts the machine's Chromium. */
export function launch(): Promise<Browser> {
  return chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox"] });
}

/** Settings of a page. */
export interface View {
  readonly theme: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** A page, and what went wrong in it. */
export interface Opened {
  readonly page: Page;
  /** Errors, warnings, broken policies, and requests to other hosts. */
  readonly problems: string[];
  close(): Promise<void>;
}

/** Opens a page of an emulator. */
export async function open(
  browser: Browser,
  url: string,
  { theme, width = 1_280, height = 800 }: View,
): Promise<Opened> {
  const context = await browser.newContext({ colorScheme: theme, viewport: { width, height } });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => /^(error|warning)$/.test(message.type()) && problems.push(message.text()));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith("data:"))
      problems.push(request.url());
  });
  await page.goto(url);
  return { page, problems, close: () => context.close() };
}

/** Violations that axe finds, as one line each. */
export async function violations(page: Page): Promise<string[]> {
  // Through the debugger, which the page's policy doesn't apply to. Once for each document: reading it takes longer than
  // most screens take to check.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  return page.evaluate(async () => {
    // axe puts itself there.
    const { axe: checker } = globalThis as unknown as { axe: { run(): Promise<Result> } };
    const { violations: found } = await checker.run();
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
    );
  });
}

interface Result {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
  }[];
}
