import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, inject, type TestContext, test } from "vitest";
import { Svc } from "../../src/index.js";
import { emulatorWithEnvironment, start } from "../client/example-process.js";
import { freePort } from "../support/ports.js";
import { sized } from "../support/size.js";
import { withTheirOwn } from "./pack.js";

const run = promisify(execFile);
const { project: packed } = inject("packed");
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const COMPILER = resolve("node_modules/@typescript/native/bin/tsc");
const NEXT = resolve("tools/next/node_modules");
const hasNext = existsSync(NEXT);
const MINIFLARE = resolve("tools/runtimes/node_modules/miniflare/dist/src/index.js");

/** A new folder with a template's project, and packages of this repository. */
async function initialized(template: string, packages: readonly string[]): Promise<string> {
  const parent = mkdtempSync(join(packed, "init-"));
  await run(
    process.execPath,
    [join(packed, "node_modules/svc-sdk/dist/cli.js"), "init", "app", "--template", template],
    {
      cwd: parent,
    },
  );
  const folder = join(parent, "app");
  const links = [
    ["svc-sdk", join(packed, "node_modules/svc-sdk")] as const,
    ...packages.map((name) => [name, resolve("node_modules", name)] as const),
  ];
  for (const [name, target] of links) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link, "junction");
  }
  return folder;
}

/** Variables of a program that finds this Node, and the commands of Next.js. */
const environment = {
  PATH: [dirname(process.execPath), join(NEXT, ".bin"), process.env["PATH"]].join(delimiter),
  NEXT_TELEMETRY_DISABLED: "1",
};

/** What the compiler reports about a project, with the project's own configuration. */
const typeErrors = async (folder: string) =>
  (await run(process.execPath, [COMPILER, "-p", folder]).catch((error: { stdout: string }) => error)).stdout;

/** Starts a project as `npm run dev` does. */
async function developed(context: TestContext, folder: string) {
  const port = String(await freePort());
  const [node, ...program] = manifestOf(folder).scripts.dev.split(" ");
  expect(node).toBe("node");
  const running = start(context, program, { ...environment, PORT: port }, folder);
  const url = (await running.line(/^The app: /)).replace(/^The app: +/, "");
  expect(url).toBe(`http://localhost:${port}`);
  return { running, url };
}

/** Submits the form of a page as a browser does. */
async function submit(url: string, page: string): Promise<Response> {
  const [, attributes = "", content = ""] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(page) ?? [];
  const action = /action="([^"]+)"/.exec(attributes)?.[1] ?? "/";
  const body = new FormData();
  for (const [, name = ""] of content.matchAll(/<input type="hidden" name="([^"]*)"/g)) body.append(name, "");
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  return fetch(new URL(action, url), { method: "POST", body, headers, redirect: "manual" });
}

const pageOf = async (url: string) => (await fetch(url)).text();
const locationOf = ({ headers }: Response) => headers.get("location") ?? "";

/** Connects the user's account and opens an issue, as a person does who clicks through the app. */
async function clickThrough(url: string): Promise<void> {
  const foreign = await fetch(`${url}/webhooks`, { method: "POST", body: "{}", headers: { "webhook-id": "1" } });
  expect(foreign.status).toBeGreaterThanOrEqual(400);

  const link = locationOf(await submit(url, await pageOf(url)));
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/link\/lk_/);
  const denied = await fetch(`${url}/connected?status=success&connected_account_id=ca_github_demo`);
  expect(await denied.text()).toContain("connected. ");
  const back = locationOf(await fetch(`${link}/complete`, { method: "POST", redirect: "manual" }));
  expect(back).toMatch(new RegExp(`^${url}/connected\\?`));

  const connected = await pageOf(back);
  expect(connected).toContain("GitHub is connected.");
  const opened = await submit(url, connected);
  const result = opened.status === 200 ? await opened.text() : await pageOf(new URL(locationOf(opened), url).href);
  expect(result).toContain("Opened https://github.example.com/octo-org/hello-world/issues/1");
}

const COMMIT = "A commit for ada: Fix the build";

describe("the project that svc-sdk init writes", () => {
  test("for plain Node type-checks, runs with one command, connects, executes and receives", async (context) => {
    const folder = await initialized("node", ["@types/node"]);
    expect(await typeErrors(folder)).toBe("");
    const { running, url } = await developed(context, folder);
    await running.line(/^Listening on /);
    running.enter();
    await running.line(/^Nothing listens for commits yet/);
    const forged = await fetch(`${url}/connect`, { method: "POST", headers: { "sec-fetch-site": "cross-site" } });
    expect(forged.status).toBe(403);
    expect((await fetch(`${url}/missing`)).status).toBe(404);
    await clickThrough(url);
    running.enter();
    expect(await running.line(/^A commit/)).toBe(COMMIT);
    expect((await running.stop()).filter((line) => line.startsWith("A commit"))).toHaveLength(1);
  });

  test("for plain Node subscribes to a real service's events once, and starts with .env alone", async (context) => {
    const { emulator, environment: keys } = await emulatorWithEnvironment(context);
    const folder = await initialized("node", []);
    const port = String(await freePort());
    const script = (name: string): string[] => manifestOf(folder).scripts[name].split(" ").slice(1);
    const setup = () => run(process.execPath, script("setup"), { cwd: folder, env: environment });
    const lines = [`SVC_BASE_URL=${keys["SVC_BASE_URL"]}`, `SVC_API_KEY=${keys["SVC_API_KEY"]}`];
    writeFileSync(join(folder, ".env"), lines.join("\n"));
    await expect(setup()).rejects.toMatchObject({ stderr: expect.stringContaining("Set APP_URL in .env") });
    expect(emulator.requests).toEqual([]);

    writeFileSync(join(folder, ".env"), [...lines, "APP_URL=https://app.example"].join("\n"));
    expect((await setup()).stdout).toBe("Subscribed. SVC_WEBHOOK_SECRET is in .env now.\n");
    const written = readFileSync(join(folder, ".env"), "utf8");
    expect((await setup()).stdout).toBe("Subscribed, with the secret in .env.\n");
    expect(readFileSync(join(folder, ".env"), "utf8")).toBe(written);

    // The emulator delivers to this machine, where a service would reach APP_URL.
    const svc = new Svc({ ...emulator.connection, environment: {} });
    const [subscription] = (await svc.webhookSubscriptions.list()).items;
    expect(subscription?.webhook_url).toBe("https://app.example/webhooks");
    const webhook_url = `http://localhost:${port}/webhooks`;
    await svc.webhookSubscriptions.update(subscription?.id ?? "", { webhook_url });
    writeFileSync(join(folder, ".env"), written.replace("https://app.example", `http://localhost:${port}`));
    const app = start(context, script("start"), { ...environment, PORT: port }, folder);
    await app.line(/^Listening on /);
    await clickThrough(`http://localhost:${port}`);
    const [trigger] = (await svc.triggers.listActive()).items;
    emulator.triggers.fire(trigger?.id ?? "", { id: "c0ffee", message: "Fix the build", author: "ada" });
    expect(await app.line(/^A commit/)).toBe(COMMIT);
  });

  test("for Hono type-checks", async () => {
    expect(await typeErrors(await initialized("hono", ["@types/node", "hono"]))).toBe("");
  });

  const noWorkerd = existsSync(MINIFLARE) ? "" : " [skipped: needs npm run runtimes]";
  test.skipIf(noWorkerd)(`for Hono connects, executes and receives in workerd${noWorkerd}`, async (context) => {
    const { emulator, environment: keys } = await emulatorWithEnvironment(context);
    const folder = await initialized("hono", ["hono"]);
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const svc = new Svc({ ...emulator.connection, environment: {} });
    const { secret } = await svc.webhookSubscriptions.create({
      webhook_url: `${url}/webhooks`,
      enabled_events: ["svc.trigger.message"],
    });
    const { main, compatibility_date, compatibility_flags, secrets } = JSON.parse(
      readFileSync(join(folder, "wrangler.jsonc"), "utf8"),
    );
    const available: Record<string, string> = { ...keys, SVC_WEBHOOK_SECRET: secret, APP_URL: url };
    const { outputFiles } = await build({
      entryPoints: [join(folder, main)],
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
      logLevel: "error",
    });
    const { Miniflare } = await import(pathToFileURL(MINIFLARE).href);
    const worker = new Miniflare({
      port,
      compatibilityDate: compatibility_date,
      compatibilityFlags: compatibility_flags,
      bindings: Object.fromEntries(secrets.required.map((name: string) => [name, available[name]])),
      modules: [{ type: "ESModule", path: "worker.mjs", contents: outputFiles[0]?.text }],
      handleRuntimeStdio: (output: Readable) => output.resume(),
    });
    context.onTestFinished(() => worker.dispose());
    await worker.ready;
    await clickThrough(url);
    const [trigger] = (await svc.triggers.listActive()).items;
    emulator.triggers.fire(trigger?.id ?? "", { id: "c0ffee", message: "Fix the build", author: "ada" });
    await emulator.settled();
    expect(emulator.deliveries.items.map(({ state }) => state)).toEqual(["delivered"]);
  });

  const noNext = hasNext ? "" : " [skipped: needs npm run next]";
  test.skipIf(!sized(false, hasNext))(
    `for Next.js builds, runs with one command, connects, executes and receives${noNext}`,
    { timeout: 240_000 },
    async (context) => {
      // Turbopack reads no file outside of the folder of the lockfile, so links don't work.
      const parent = mkdtempSync(join(NEXT, "../init-"));
      context.onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
      const folder = join(parent, "app");
      cpSync(await initialized("next", []), folder, {
        recursive: true,
        filter: (path) => !path.endsWith("node_modules"),
      });
      const installed = join(packed, "node_modules/svc-sdk");
      const others = [...withTheirOwn(Object.keys(manifestOf(installed).dependencies)), "@types/node", "undici-types"];
      const sources = [
        ["svc-sdk", installed] as const,
        ...others.map((name) => [name, resolve("node_modules", name)] as const),
      ];
      for (const [name, source] of sources) cpSync(source, join(folder, "node_modules", name), { recursive: true });
      const configured = readFileSync(join(folder, "tsconfig.json"), "utf8");
      const { stdout } = await run(join(NEXT, ".bin/next"), ["build"], { cwd: folder, env: environment });
      expect(stdout).toContain("Compiled successfully");
      expect(await typeErrors(folder)).toBe("");

      const { running, url } = await developed(context, folder);
      await running.line(/Ready in/);
      await clickThrough(url);
      running.enter();
      expect(await running.line(/^A commit/)).toBe(COMMIT);
      // Next.js changes a configuration that it doesn't like.
      expect(readFileSync(join(folder, "tsconfig.json"), "utf8")).toBe(configured);
    },
  );

  test("asks for the versions that these tests run", () => {
    const asked = ["node", "hono", "next"].flatMap((template) => {
      const { dependencies, devDependencies } = manifestOf(join("examples/init", template));
      return Object.entries<string>({ ...dependencies, ...devDependencies });
    });
    const { devDependencies } = manifestOf(".");
    const tested = { ...devDependencies, ...manifestOf("tools/next").dependencies };
    const untested = asked.filter(([name, range]) => range.replace("^", "") !== tested[name]?.replace("^", ""));
    // Wrangler bundles the worker and runs it in workerd; the tests do both themselves.
    expect(untested.map(([name]) => name)).toEqual(["wrangler"]);
  });
});
