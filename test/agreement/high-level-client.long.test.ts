import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { RunningEmulator } from "../../src/emulator/node.js";
import { signWebhook } from "../../src/webhooks/index.js";
import { isInstalled, load, needs, vendorService } from "./vendor.js";

/**
 * What high-level programs do with this API, done by `@composio/core` against the emulator on a port, through a server
 * that renames what has the vendor's name. Only the parts that the tests use have types here.
 */
interface Library {
  readonly Composio: new (options: object) => HighLevel;
  readonly experimental_createTool: (slug: string, tool: object) => object;
  readonly experimental_createToolkit: (slug: string, toolkit: object) => object;
}

interface HighLevel {
  readonly toolkits: {
    get(slug: string): Promise<{ readonly slug: string }>;
    authorize(userId: string, slug: string): Promise<Connecting>;
  };
  readonly authConfigs: { list(query: object): Promise<{ readonly items: readonly { readonly id: string }[] }> };
  readonly connectedAccounts: {
    link(userId: string, authConfigId: string): Promise<Connecting>;
    list(query: object): Promise<{ readonly items: readonly { readonly id: string; readonly status: string }[] }>;
  };
  readonly tools: {
    get(userId: string, query: object): Promise<readonly FunctionTool[]>;
    execute(slug: string, call: object): Promise<Result>;
    proxyExecute(call: object): Promise<{ readonly status: number }>;
  };
  readonly triggers: {
    create(userId: string, slug: string, body: object): Promise<{ readonly triggerId: string }>;
    listActive(): Promise<{ readonly items: readonly { readonly id: string }[] }>;
    disable(id: string): Promise<unknown>;
    enable(id: string): Promise<unknown>;
    delete(id: string): Promise<unknown>;
    setWebhookSubscription(subscription: object): Promise<{ readonly secret?: string }>;
    parse(request: object, options: object): Promise<Verified>;
  };
  readonly provider: {
    handleToolCalls(target: HighLevelSession, completion: object): Promise<readonly { readonly content: string }[]>;
  };
  create(userId: string, config?: object): Promise<HighLevelSession>;
  use(sessionId: string): Promise<HighLevelSession>;
}

interface FunctionTool {
  readonly function: { readonly name: string };
}

interface Result {
  readonly data: unknown;
  readonly error: string | null;
  readonly successful?: boolean;
}

interface Connecting {
  readonly id: string;
  readonly redirectUrl: string;
  waitForConnection(timeoutMs?: number): Promise<{ readonly id: string; readonly status: string }>;
}

interface Verified {
  readonly version: string;
  readonly payload: { readonly triggerSlug: string; readonly userId: string; readonly payload: unknown };
}

interface HighLevelSession {
  readonly sessionId: string;
  readonly mcp: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  tools(): Promise<readonly FunctionTool[]>;
  toolkits(query?: object): Promise<{ readonly items: readonly { readonly slug: string }[] }>;
  search(query: object): Promise<{ readonly results: readonly unknown[] }>;
  execute(slug: string, given: object): Promise<Result>;
  authorize(toolkit: string): Promise<Connecting>;
  customTools(): readonly { readonly slug: string }[];
  update(config: object): Promise<unknown>;
  delete(): Promise<unknown>;
}

const ISSUE = { owner: "octo-org", repo: "hello-world", title: "It works" };

const COMMIT = { id: "5f2c0d", message: "Fix the build", author: "Ada" };

/** A server that keeps what's delivered to it. */
async function receiver() {
  const deliveries: { readonly body: string; readonly headers: object }[] = [];
  const keep = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    deliveries.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
    response.end();
  };
  const server = createServer((request, response) => void keep(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return { deliveries, webhookUrl: `http://127.0.0.1:${Number(Reflect.get(Object(server.address()), "port"))}/` };
}

describe.skipIf(!isInstalled)(`a high-level client of others${needs}`, () => {
  let library: Library;
  let zod: { object(shape: object): object; string(): object };
  beforeAll(async () => {
    // The package's exports are those of the interface.
    library = (await load("@composio/core/dist/index.mjs")) as unknown as Library;
    // Its tools take the shapes of zod that is installed next to it.
    zod = (await load("zod/index.js"))["z"] as typeof zod;
  });

  async function connected(): Promise<{ composio: HighLevel; emulator: RunningEmulator; origin: string }> {
    const { emulator, origin } = await vendorService();
    const { apiKey } = emulator.connection;
    const composio = new library.Composio({ apiKey, baseURL: origin, allowTracking: false, disableVersionCheck: true });
    return { composio, emulator, origin };
  }

  /** What the user's browser does. */
  async function approve({ redirectUrl }: Connecting): Promise<void> {
    await fetch(`${redirectUrl}/complete`, { method: "POST", redirect: "manual" });
  }

  /** A trigger of the user's repository. */
  async function aTrigger(composio: HighLevel): Promise<string> {
    const triggerConfig = { owner: "octo-org", repo: "hello-world" };
    return (await composio.triggers.create("user-4711", "GITHUB_COMMIT_EVENT", { triggerConfig })).triggerId;
  }

  test("connects accounts", async () => {
    const { composio } = await connected();
    const [config] = (await composio.authConfigs.list({ toolkit: "github" })).items;
    const request = await composio.connectedAccounts.link("ada", config?.id ?? "");
    await approve(request);
    expect(await request.waitForConnection(5_000)).toMatchObject({ id: request.id, status: "ACTIVE" });
    const { items } = await composio.connectedAccounts.list({ userIds: ["ada"] });
    expect(items).toMatchObject([{ id: request.id, status: "ACTIVE" }]);
  });

  // Public descriptions: since 2026-07-03, creating an account with managed OAuth is rejected. This client still does
  // it.
  test("can't connect a managed OAuth account by creating it", async () => {
    const { composio } = await connected();
    await expect(composio.toolkits.authorize("ada", "github")).rejects.toThrow(/no longer supported/);
  });

  test("executes tools", async () => {
    const { composio } = await connected();
    const tools = await composio.tools.get("user-4711", { toolkits: ["github"] });
    expect(tools.map(({ function: { name } }) => name)).toContain("GITHUB_CREATE_AN_ISSUE");
    const call = { userId: "user-4711", version: "20251023_00", arguments: ISSUE };
    expect(await composio.tools.execute("GITHUB_CREATE_AN_ISSUE", call)).toMatchObject({
      successful: true,
      error: null,
      data: { title: ISSUE.title },
    });
  });

  test("creates, disables and deletes triggers", async () => {
    const { composio } = await connected();
    const triggerId = await aTrigger(composio);
    expect((await composio.triggers.listActive()).items.map(({ id }) => id)).toContain(triggerId);
    await composio.triggers.disable(triggerId);
    await composio.triggers.enable(triggerId);
    await composio.triggers.delete(triggerId);
    expect((await composio.triggers.listActive()).items).toEqual([]);
  });

  test("verifies an event as it's delivered, and reads it", async () => {
    const { composio, emulator } = await connected();
    const { webhookUrl, deliveries } = await receiver();
    const { secret: verifySecret } = await composio.triggers.setWebhookSubscription({ webhookUrl, version: "V2" });
    emulator.triggers.fire(await aTrigger(composio), COMMIT);
    await emulator.waitForDeliveries();
    const [delivery] = deliveries;
    const { version, payload } = await composio.triggers.parse(delivery ?? {}, { verifySecret });
    expect({ version, payload }).toMatchObject({ version: "V2", payload: { userId: "user-4711", payload: COMMIT } });
    const changed = { ...delivery, body: delivery?.body.replace("Fix", "Break") };
    await expect(composio.triggers.parse(changed, { verifySecret })).rejects.toThrow(/signature/i);
  });

  test("verifies and reads an event of the current format", async () => {
    const { composio, emulator } = await connected();
    const { webhookUrl, deliveries } = await receiver();
    const { secret = "" } = await composio.triggers.setWebhookSubscription({ webhookUrl });
    emulator.triggers.fire(await aTrigger(composio), COMMIT);
    await emulator.waitForDeliveries();
    // The format names the vendor, so it's renamed and signed again.
    const body = (deliveries[0]?.body ?? "").replaceAll('"svc.', '"composio.');
    const id = String(Reflect.get(JSON.parse(body), "id"));
    const headers = signWebhook({ id, body, secret, timestamp: new Date() });
    const { version, payload } = await composio.triggers.parse({ body, headers }, { verifySecret: secret });
    expect({ version, payload }).toMatchObject({
      version: "V3",
      payload: { triggerSlug: "GITHUB_COMMIT_EVENT", userId: "user-4711", payload: COMMIT },
    });
  });

  test("works in sessions", async () => {
    const { composio } = await connected();
    const session = await composio.create("user-4711", { mcp: true });
    expect((await session.tools()).map(({ function: { name } }) => name)).toContain("COMPOSIO_SEARCH_TOOLS");
    expect((await session.toolkits({ isConnected: true })).items.map(({ slug }) => slug)).toContain("github");
    expect((await session.search({ query: "open an issue" })).results.length).toBe(1);
    expect(await session.execute("GITHUB_CREATE_AN_ISSUE", ISSUE)).toMatchObject({
      error: null,
      data: { title: ISSUE.title },
    });
    const request = await session.authorize("slack");
    await approve(request);
    expect(await request.waitForConnection(5_000)).toMatchObject({ status: "ACTIVE" });
    const again = await composio.use(session.sessionId);
    expect(again.mcp.url).toContain(session.sessionId);
    await session.update({ toolkits: ["github"] });
    await session.delete();
  });

  test("runs a session's meta tools, by itself and for a model", async () => {
    const { composio } = await connected();
    const session = await composio.create("user-4711", { manageConnections: { waitForConnections: true } });
    const names = (await session.tools()).map(({ function: { name } }) => name);
    const search = { queries: [{ use_case: "open an issue" }] };
    const found = await session.execute("COMPOSIO_SEARCH_TOOLS", search);
    expect(found).toMatchObject({ error: null, data: { results: [{ toolkits: ["github"] }] } });
    const run = { tool_slug: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE };
    const calls: Readonly<Record<string, object>> = {
      COMPOSIO_SEARCH_TOOLS: search,
      COMPOSIO_GET_TOOL_SCHEMAS: { tool_slugs: ["GITHUB_CREATE_AN_ISSUE"] },
      COMPOSIO_MULTI_EXECUTE_TOOL: { tools: [run], sync_response_to_workbench: false, memory: {} },
      COMPOSIO_MANAGE_CONNECTIONS: { toolkits: ["github", "slack"] },
      COMPOSIO_WAIT_FOR_CONNECTIONS: { toolkits: ["github"] },
    };
    expect(names).toEqual(expect.arrayContaining(Object.keys(calls)));
    const tool_calls = Object.entries(calls).map(([name, args]) => {
      return { id: name, type: "function", function: { name, arguments: JSON.stringify(args) } };
    });
    const outputs = await composio.provider.handleToolCalls(session, { choices: [{ message: { tool_calls } }] });
    expect(outputs.map(({ content }) => JSON.parse(content))).toEqual(
      outputs.map(() => expect.objectContaining({ successful: true, error: null })),
    );
    expect(outputs[2]?.content).toContain(ISSUE.title);
  });

  test("runs its own tools in a session", async () => {
    const { composio } = await connected();
    const tool = (slug: string, more = {}) =>
      library.experimental_createTool(slug, {
        name: slug,
        description: "Returns what it's given.",
        inputParams: zod.object({ word: zod.string() }),
        execute: async (input: unknown) => ({ input }),
        preload: true,
        ...more,
      });
    const box = library.experimental_createToolkit("BOX", {
      name: "Box",
      description: "Boxes.",
      tools: [tool("OPEN")],
    });
    const session = await composio.create("user-4711", {
      experimental: {
        customTools: [tool("ECHO"), tool("TRIAGE", { extendsToolkit: "github" })],
        customToolkits: [box],
      },
    });
    const slugs = ["LOCAL_ECHO", "LOCAL_GITHUB_TRIAGE", "LOCAL_BOX_OPEN"];
    expect(session.customTools().map(({ slug }) => slug)).toEqual(slugs);
    expect((await session.tools()).map(({ function: { name } }) => name)).toEqual(expect.arrayContaining(slugs));
    expect(await session.execute("LOCAL_ECHO", { word: "abc" })).toMatchObject({
      data: { input: { word: "abc" } },
      error: null,
    });
  });
});
