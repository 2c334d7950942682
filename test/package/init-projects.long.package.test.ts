import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, inject, onTestFinished, type TestContext, test } from "vitest";
import { Svc } from "../../src/index.js";
import { startModel } from "../agents/sdk/model-server.js";
import { emulatorWithEnvironment, type Owner, start } from "../examples/example-process.js";
import { freePort } from "../support/ports.js";
import { withTheirOwn } from "./pack.js";

const run = promisify(execFile);
const { project: packed } = inject("packed");
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const COMPILER = resolve("node_modules/@typescript/native/bin/tsc");
const NEXT = resolve("test/programs/next/node_modules");
const hasNext = existsSync(NEXT);
const MINIFLARE = resolve("test/programs/runtimes/node_modules/miniflare/dist/src/index.js");

/** A new folder with a template's project, and packages of this repository. */
async function initialized(template: string, packages: readonly string[], kind = "receiver"): Promise<string> {
  const parent = mkdtempSync(join(packed, "init-"));
  const words = ["init", "app", "--template", template, "--kind", kind];
  await run(process.execPath, [join(packed, "node_modules/svc-sdk/dist/cli.js"), ...words], { cwd: parent });
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
async function developed(context: Owner, folder: string, variables: Record<string, string> = {}) {
  const port = String(await freePort());
  const [node, ...program] = manifestOf(folder).scripts.dev.split(" ");
  expect(node).toBe("node");
  const running = start(context, program, { ...environment, ...variables, PORT: port }, folder);
  const url = (await running.line(/^The app: /)).replace(/^The app: +/, "");
  expect(url).toBe(`http://localhost:${port}`);
  return { running, url };
}

/** Submits the form of a page as a browser does. */
async function submit(url: string, page: string, text = ""): Promise<Response> {
  const [, attributes = "", content = ""] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(page) ?? [];
  const action = /action="([^"]+)"/.exec(attributes)?.[1] ?? "/";
  const body = attributes.includes("multipart/form-data") ? new FormData() : new URLSearchParams();
  for (const [, name = ""] of content.matchAll(/<input type="hidden" name="([^"]*)"/g)) body.append(name, "");
  if (content.includes('name="text"')) body.append("text", text);
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  return fetch(new URL(action, url), { method: "POST", body, headers, redirect: "manual" });
}

const pageOf = async (url: string) => (await fetch(url)).text();
const locationOf = ({ headers }: Response) => headers.get("location") ?? "";

/** Connects the user's account, and returns the page that follows. */
async function connect(url: string): Promise<string> {
  const link = locationOf(await submit(url, await pageOf(url)));
  expect(link).toMatch(LINK);
  const denied = await fetch(`${url}/connected?status=success&connected_account_id=ca_github_demo`);
  expect(await denied.text()).toContain("connected. ");
  const back = locationOf(await fetch(`${link}/complete`, { method: "POST", redirect: "manual" }));
  expect(back).toMatch(new RegExp(`^${url}/connected\\?`));
  const connected = await pageOf(back);
  expect(connected).toContain("GitHub is connected.");
  return connected;
}

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/link\/lk_/;

/** Sends the form of a connected user's page, and returns the page with the result. */
async function send(url: string, page: string, text: string): Promise<string> {
  const sent = await submit(url, page, text);
  return sent.status === 200 ? sent.text() : pageOf(new URL(locationOf(sent), url).href);
}

/** Connects the user's account and opens an issue, as a person does who clicks through the app. */
async function clickThrough(url: string): Promise<void> {
  await rejectsForeignDelivery(url);
  const result = await send(url, await connect(url), "It works");
  expect(result).toContain("Opened https://github.example.com/octo-org/hello-world/issues/1");
}

async function rejectsForeignDelivery(url: string): Promise<void> {
  const foreign = await fetch(`${url}/webhooks`, { method: "POST", body: "{}", headers: { "webhook-id": "1" } });
  expect(foreign.status).toBeGreaterThanOrEqual(400);
}

const model = await startModel();
const MODEL = model.env;

/** Asks a model that makes a call the policy denies and one it allows, and returns the page before it. */
async function ask(url: string): Promise<string> {
  const repository = { owner: "octo-org", repo: "hello-world" };
  model.script(
    {
      calls: [
        { name: "GITHUB_STAR_A_REPOSITORY", arguments: repository },
        { name: "GITHUB_CREATE_AN_ISSUE", arguments: { ...repository, title: "The build is broken" } },
      ],
    },
    { text: "I opened issue <1>." },
  );
  const connected = await connect(url);
  expect(await send(url, connected, "Report the build & star it")).toContain("I opened issue &lt;1");
  const [first, second, ...others] = model.requests;
  expect(others).toEqual([]);
  expect(first?.body["input"]).toEqual([{ role: "user", content: "Report the build & star it" }]);
  const [starred, opened] = second?.outputs ?? [];
  expect(starred?.text).toContain("No rule allows it");
  expect(opened?.text).toContain("https://github.example.com/octo-org/hello-world/issues/1");
  return connected;
}

const COMMIT = "A commit for ada: Fix the build";

const noWorkerd = existsSync(MINIFLARE) ? "" : " [skipped: needs npm run runtimes]";

/** Bundles and starts a project for Workers, with an emulator, and variables of the terminal. */
async function deployed(context: TestContext, kind: string, terminal: Record<string, string> = MODEL) {
  const { emulator, environment: keys } = await emulatorWithEnvironment(context);
  const folder = await initialized("hono", ["hono", "openai"], kind);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const svc = new Svc({ ...emulator.connection, env: {} });
  const { secret } = await svc.webhookSubscriptions.create({
    webhook_url: `${url}/webhooks`,
    enabled_events: ["svc.trigger.message"],
  });
  const { main, compatibility_date, compatibility_flags, secrets, vars } = JSON.parse(
    readFileSync(join(folder, "wrangler.jsonc"), "utf8"),
  );
  const available: Record<string, string> = { ...keys, ...terminal, SVC_WEBHOOK_SECRET: secret, APP_URL: url };
  const { outputFiles } = await build({
    entryPoints: [join(folder, main)],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    external: ["node:*"],
    logLevel: "error",
  });
  const { Miniflare } = await import(pathToFileURL(MINIFLARE).href);
  // As wrangler dev does: of the environment, a Worker gets what the configuration lists.
  const listed = [...secrets.required, ...Object.keys(vars ?? {})].filter((name) => name in available);
  const worker = new Miniflare({
    port,
    compatibilityDate: compatibility_date,
    compatibilityFlags: compatibility_flags,
    bindings: { ...vars, ...Object.fromEntries(listed.map((name) => [name, available[name]])) },
    modules: [{ type: "ESModule", path: "worker.mjs", contents: outputFiles[0]?.text }],
    handleRuntimeStdio: (output: Readable) => output.resume(),
  });
  context.onTestFinished(() => worker.dispose());
  await worker.ready;
  return { emulator, svc, url };
}

/** Builds, type-checks and starts a project for Next.js. */
async function built(context: TestContext, kind: string) {
  // Turbopack reads no file outside of the folder of the lockfile, so links don't work.
  const parent = mkdtempSync(join(NEXT, "../init-"));
  context.onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, "app");
  cpSync(await initialized("next", [], kind), folder, {
    recursive: true,
    filter: (path) => !path.endsWith("node_modules"),
  });
  const installed = join(packed, "node_modules/svc-sdk");
  const ours = withTheirOwn(Object.keys(manifestOf(installed).dependencies));
  const others = [...ours, "@types/node", "undici-types", ...withTheirOwn(["openai"])];
  const sources = [
    ["svc-sdk", installed] as const,
    ...others.map((name) => [name, resolve("node_modules", name)] as const),
  ];
  for (const [name, source] of sources) cpSync(source, join(folder, "node_modules", name), { recursive: true });
  const configured = readFileSync(join(folder, "tsconfig.json"), "utf8");
  const { stdout } = await run(join(NEXT, ".bin/next"), ["build"], { cwd: folder, env: environment });
  expect(stdout).toContain("Compiled successfully");
  expect(await typeErrors(folder)).toBe("");
  const { running, url } = await developed(context, folder, MODEL);
  await running.line(/Ready in/);
  return { running, url, configured, configuration: () => readFileSync(join(folder, "tsconfig.json"), "utf8") };
}

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

  test.each(["agent", "receiver"])("for plain Node as %s ends with one line if its port is taken", async (kind) => {
    const context = { onTestFinished };
    const folder = await initialized("node", ["openai"], kind);
    const { running, url } = await developed(context, folder);
    await running.line(/^Listening on /);
    const { port } = new URL(url);
    const lines = ["SVC_BASE_URL=http://127.0.0.1:1", "SVC_API_KEY=ak_1", "SVC_WEBHOOK_SECRET=whsec_MQ=="];
    writeFileSync(join(folder, ".env"), lines.join("\n"));
    for (const script of ["dev", "start"]) {
      const [, ...program] = manifestOf(folder).scripts[script].split(" ");
      const again = run(process.execPath, program, {
        cwd: folder,
        env: { ...environment, PORT: port },
        timeout: 30_000,
      });
      const taken = new RegExp(`^listen EADDRINUSE: .*:${port}\\. Set PORT to a free port.*\\n$`);
      await expect(again).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(taken) });
    }
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain("`PORT=3001 npm run dev`");
  });

  test("for plain Node as an agent type-checks, asks a model without a key, and has no events", async (context) => {
    const folder = await initialized("node", ["@types/node", "openai"], "agent");
    expect(await typeErrors(folder)).toBe("");
    expect(manifestOf(folder).scripts).not.toHaveProperty("setup");
    const { running, url } = await developed(context, folder);
    await running.line(/^Listening on /);
    const connected = await connect(url);
    expect(await send(url, connected, "Hello")).toContain("No tool fits these words");
    expect(await send(url, connected, "Open an issue")).toContain("I read: ");
    expect((await fetch(`${url}/webhooks`, { method: "POST" })).status).toBe(404);
    const long = await submit(url, await pageOf(url), "x".repeat(20_000));
    expect(long.status).toBe(500);
  });

  test("for plain Node as both type-checks, runs with one command, asks a model and receives", async (context) => {
    const folder = await initialized("node", ["@types/node", "openai"], "both");
    expect(await typeErrors(folder)).toBe("");
    const { running, url } = await developed(context, folder, MODEL);
    await running.line(/^Listening on /);
    await rejectsForeignDelivery(url);
    await ask(url);
    running.enter();
    expect(await running.line(/^A commit/)).toBe(COMMIT);
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
    const svc = new Svc({ ...emulator.connection, env: {} });
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

  test.each(["agent", "receiver", "both"])("for Hono as %s type-checks", async (kind) => {
    expect(await typeErrors(await initialized("hono", ["@types/node", "hono", "openai"], kind))).toBe("");
  });

  test("for Hono passes PORT to wrangler", async (context) => {
    const folder = await initialized("hono", []);
    const programs = join(folder, "programs");
    mkdirSync(programs);
    writeFileSync(join(programs, "wrangler"), '#!/bin/sh\necho "wrangler $* at $APP_URL"\n', { mode: 0o755 });
    const PATH = [programs, environment.PATH].join(delimiter);
    const { running, url } = await developed(context, folder, { PATH });
    expect(await running.line(/^wrangler /)).toBe(`wrangler dev --port ${new URL(url).port} at ${url}`);
  });

  test.skipIf(noWorkerd)(`for Hono connects, executes and receives in workerd${noWorkerd}`, async (context) => {
    const { emulator, svc, url } = await deployed(context, "receiver");
    await clickThrough(url);
    const [trigger] = (await svc.triggers.listActive()).items;
    emulator.triggers.fire(trigger?.id ?? "", { id: "c0ffee", message: "Fix the build", author: "ada" });
    await emulator.waitForDeliveries();
    expect(emulator.deliveries.items.map(({ state }) => state)).toEqual(["delivered"]);
  });

  test.skipIf(noWorkerd)(`for Hono as both asks a model and receives in workerd${noWorkerd}`, async (context) => {
    const { emulator, svc, url } = await deployed(context, "both");
    await ask(url);
    const [trigger] = (await svc.triggers.listActive()).items;
    emulator.triggers.fire(trigger?.id ?? "", { id: "c0ffee", message: "Fix the build", author: "ada" });
    await emulator.waitForDeliveries();
    expect(emulator.deliveries.items.map(({ state }) => state)).toEqual(["delivered"]);
  });

  test.skipIf(noWorkerd)(
    `for Hono as agent asks for an account that is gone in workerd${noWorkerd}`,
    async (context) => {
      const { svc, url } = await deployed(context, "agent");
      const connected = await ask(url);
      const delivery = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
      expect((await fetch(`${url}/webhooks`, delivery)).status).toBe(404);
      for (const { id } of (await svc.connectedAccounts.list({ user_ids: ["ada"] })).items) {
        await svc.connectedAccounts.delete(id);
      }
      const repository = { owner: "octo-org", repo: "hello-world" };
      model.script({ calls: [{ name: "GITHUB_LIST_REPOSITORY_ISSUES", arguments: repository }] });
      expect(locationOf(await submit(url, connected, "Any issues?"))).toMatch(LINK);
    },
  );

  test.skipIf(noWorkerd)(`for Hono shows what failed, and what to do next${noWorkerd}`, async (context) => {
    const { emulator, url } = await deployed(context, "agent", { ...MODEL, OPENAI_BASE_URL: "http://127.0.0.1:1/v1" });
    const connected = await connect(url);
    const unreachable = await submit(url, connected, "Any issues?");
    expect(unreachable.status).toBe(500);
    expect(await unreachable.json()).toEqual({
      error: { message: "Connection error.", next: "The terminal shows the error's cause and stack." },
    });
    emulator.faults.next("connectedAccounts.list", { status: 403 });
    const rejected = await fetch(url);
    expect(await rejected.text()).toContain('"connectedAccounts.list: 403');
    // The forms of other sites are still rejected.
    const headers = { origin: "https://other.example", "content-type": "application/x-www-form-urlencoded" };
    expect((await fetch(`${url}/tasks`, { method: "POST", headers, body: "text=x" })).status).toBe(403);
  });

  const noNext = hasNext ? "" : " [skipped: needs npm run next]";
  const longest = { timeout: 240_000 };
  test.skipIf(!hasNext)(
    `for Next.js builds, runs with one command, connects, executes and receives${noNext}`,
    longest,
    async (context) => {
      const { running, url, configured, configuration } = await built(context, "receiver");
      await clickThrough(url);
      running.enter();
      expect(await running.line(/^A commit/)).toBe(COMMIT);
      // Next.js changes a configuration that it doesn't like.
      expect(configuration()).toBe(configured);
    },
  );

  test.skipIf(!hasNext)(`for Next.js as both builds, asks a model and receives${noNext}`, longest, async (context) => {
    const { running, url } = await built(context, "both");
    await rejectsForeignDelivery(url);
    await ask(url);
    running.enter();
    expect(await running.line(/^A commit/)).toBe(COMMIT);
  });

  test.skipIf(!hasNext)(
    `for Next.js as agent builds and asks a model, without events${noNext}`,
    longest,
    async (context) => {
      const { url } = await built(context, "agent");
      await ask(url);
      expect((await fetch(`${url}/webhooks`, { method: "POST" })).status).toBe(404);
    },
  );

  test("asks for the versions that these tests run", () => {
    const asked = ["base/node", "base/hono", "base/next", "agent/shared"].flatMap((part) => {
      const { dependencies, devDependencies } = manifestOf(join("examples/init", part));
      return Object.entries<string>({ ...dependencies, ...devDependencies });
    });
    const { devDependencies } = manifestOf(".");
    const tested = { ...devDependencies, ...manifestOf("test/programs/next").dependencies };
    const untested = asked.filter(([name, range]) => range.replace("^", "") !== tested[name]?.replace("^", ""));
    // Wrangler bundles the worker and runs it in workerd; the tests do both themselves.
    expect(untested.map(([name]) => name)).toEqual(["wrangler"]);
  });
});
