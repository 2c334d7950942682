import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { ConfigError, Svc, SvcError, ValidationError } from "../../src/index.js";
import { emulated, rejectionOf } from "../support/client.js";

/** Input that the compiler rejects, and a program in JavaScript passes anyway. */
const untyped = (value: unknown) => value as never;

describe("the message about a common mistake says what was meant:", () => {
  test.each<[string, (svc: Svc) => PromiseLike<unknown>, string]>([
    [
      "a tool's slug with a word left out",
      (svc) => svc.tools.execute("GITHUB_CREATE_ISSUE", { user_id: "u", version: "20251023_00", arguments: {} }),
      "tools.execute: 404 Tool GITHUB_CREATE_ISSUE not found. Did you mean GITHUB_CREATE_AN_ISSUE?",
    ],
    [
      "input instead of arguments",
      (svc) =>
        svc.tools.execute("GITHUB_CREATE_AN_ISSUE", untyped({ user_id: "u", version: "20251023_00", input: {} })),
      "body.input: no such field (did you mean arguments?)",
    ],
    [
      "toolkit instead of toolkit_slug",
      (svc) => svc.tools.list(untyped({ toolkit: "github" })),
      "query.toolkit: no such field (did you mean toolkit_slug?)",
    ],
    [
      "args instead of arguments",
      (svc) => svc.tools.execute("GITHUB_CREATE_AN_ISSUE", untyped({ user_id: "u", version: "20251023_00", args: {} })),
      "body.args: no such field (did you mean arguments?).",
    ],
    [
      "toolkits instead of toolkit_slug",
      (svc) => svc.tools.list(untyped({ toolkits: ["github"] })),
      "query.toolkits: no such field (did you mean toolkit_slug?).",
    ],
    [
      "an option of the call in the body",
      (svc) => svc.connectedAccounts.update("ca_github_demo", untyped({ alias: "work", timeoutMs: 5_000 })),
      "connectedAccounts.update: timeoutMs is an option of the call. Pass { timeoutMs } as the next argument.",
    ],
    [
      "an option of the call among the filters",
      (svc) => svc.tools.list(untyped({ toolkit_slug: "github", signal: new AbortController().signal })),
      "tools.list: signal is an option of the call. Pass { signal } as the next argument.",
    ],
    [
      "a user before the slug",
      (svc) => svc.tools.execute("ada", untyped("GITHUB_CREATE_AN_ISSUE"), untyped({ owner: "octo-org", repo: "r" })),
      "tools.execute: the body must be an object, not a string. The arguments are tool_slug, body, options.",
    ],
    [
      "a user in front of the body",
      (svc) => svc.toolRouter.create(untyped("ada"), untyped({ toolkits: { enable: ["github"] } })),
      "toolRouter.create: the body must be an object, not a string. The arguments are body, options.",
    ],
    [
      "a slug in front of the body",
      (svc) => svc.toolRouter.use("trs_1").execute(untyped("GITHUB_CREATE_AN_ISSUE"), untyped({ owner: "o" })),
      "toolRouter.execute: the body must be an object, not a string. The arguments are body, options.",
    ],
    [
      "a body that wasn't awaited",
      (svc) => svc.tools.execute("GITHUB_CREATE_AN_ISSUE", untyped(Promise.resolve({ user_id: "ada" }))),
      "tools.execute: the body must be an object, not a promise or a Map. The arguments are tool_slug, body, options.",
    ],
    [
      "a field in camelCase",
      (svc) =>
        svc.tools.execute("GITHUB_CREATE_AN_ISSUE", untyped({ userId: "u", version: "20251023_00", arguments: {} })),
      "body.userId: no such field (did you mean user_id?).",
    ],
    [
      "a field in camelCase of a client with checkContract()",
      (svc) => svc.connectedAccounts.link(untyped({ authConfigId: "ac_github_demo", user_id: "u" })),
      "authConfigId: no such field (did you mean auth_config_id?)",
    ],
    [
      "a toolkit's slug with capitals",
      (svc) => svc.tools.list({ toolkit_slug: "GitHub" }),
      "query.toolkit_slug: expected the slug of a toolkit (did you mean github?)",
    ],
    [
      "one of several slugs with capitals",
      (svc) => svc.triggers.listTypes({ toolkit_slugs: ["slack", "GITHUB"] }),
      "query.toolkit_slugs: expected the slug of a toolkit (did you mean github?)",
    ],
    [
      "a toolkit's slug with capitals among versions",
      (svc) => svc.tools.list({ toolkit_versions: { GITHUB: "latest" } }),
      "query.toolkit_versions: expected the slug of a toolkit (did you mean github?)",
    ],
    [
      "a misspelled toolkit of a list, which would find nothing",
      (svc) => svc.tools.list({ toolkit_slug: "slack,githb" }),
      "query.toolkit_slug: expected the slug of a toolkit (did you mean github?), received githb",
    ],
    [
      "a misspelled toolkit",
      (svc) => svc.toolkits.get("githb"),
      "toolkits.get: 404 Toolkit githb not found. Did you mean github?",
    ],
    [
      "a misspelled trigger type",
      (svc) => svc.triggers.getType("GITHUB_COMIT_EVENT"),
      "Trigger type GITHUB_COMIT_EVENT not found. Did you mean GITHUB_COMMIT_EVENT?",
    ],
    [
      "an account of another user",
      (svc) =>
        svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
          ...{ user_id: "ada", version: "20251023_00", arguments: {} },
          connected_account_id: "ca_github_demo",
        }),
      "Connected account user ID does not match the provided user ID. The account belongs to another user. Pass its owner as user_id, or omit connected_account_id to use the user's own account.",
    ],
    [
      "an account of another toolkit",
      (svc) =>
        svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
          ...{ user_id: "user-4711", version: "20251023_00", arguments: {} },
          connected_account_id: "ca_slack_demo",
        }),
      "for toolkit github. ca_slack_demo is an account of slack. Pass an account of github, or omit connected_account_id to use the user's own.",
    ],
    [
      "an account's id that is wrong",
      (svc) =>
        svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
          ...{ user_id: "user-4711", version: "20251023_00", arguments: {} },
          connected_account_id: "ca_nope",
        }),
      "for toolkit github. No account has the ID ca_nope. Pass an account of github, or omit",
    ],
    [
      "the credentials of a connection that the user has to renew",
      (svc) =>
        svc.connectedAccounts.update("ca_github_demo", {
          connection: { state: { authScheme: "API_KEY", val: { generic_api_key: "k" } } },
        }),
      "The connection's scheme is OAUTH2, not API_KEY. Renew it with a new link",
    ],
    [
      "a toolkit instead of an auth config's id",
      (svc) => svc.connectedAccounts.link({ auth_config_id: "github", user_id: "u" }),
      "connectedAccounts.link: 404 Auth config github not found. The id of an auth config starts with ac_;",
    ],
    [
      "an invalid event of a subscription that is ensured",
      (svc) => svc.webhookSubscriptions.ensure({ webhook_url: "https://app.example", enabled_events: ["nope"] }),
      "webhookSubscriptions.ensure: 400 ",
    ],
  ])("%s", async (_, call, message) => {
    const error = await rejectionOf(SvcError, call(emulated().svc));
    expect(error.message).toContain(message);
    // What the runtime prints for an uncaught error.
    expect(error.stack).toContain(message);
  });

  test.each(["data", "error", "items", "logs", "successful"])("%s of a call that isn't awaited", async (name) => {
    const call = emulated().svc.tools.list();
    const message = `A call returns a promise, which has no ${name} yet. Await it: (await call).${name}.`;
    expect(() => Reflect.get(call, name)).toThrow(new TypeError(message));
    expect(await call).toHaveProperty("items");
  });

  test("the promise of a call is otherwise like any other", async () => {
    const call = emulated().svc.tools.listSlugs();
    expect(call).toBeInstanceOf(Promise);
    expect(inspect(call, { showHidden: true, getters: true })).toMatch(/^Promise \{\s+<pending>/);
    expect(JSON.stringify({ call })).toBe('{"call":{}}');
    expect(Object.keys(call)).toEqual(["withResponse"]);
    expect(await Promise.all([call])).toEqual([await call]);
  });

  test("a loop over a call that isn't awaited", async () => {
    const { svc } = emulated();
    expect(() => [...untyped(svc.tools.list())]).toThrow("The promise of a call isn't a list. Use for await");
    await expect(Promise.all(untyped(svc.tools.listSlugs()))).rejects.toThrow("The promise of a call isn't a list.");
  });

  test("a loop without await over a page that isn't the last", async () => {
    const { svc } = emulated();
    const first = await svc.tools.list({ limit: 1 });
    expect(() => [...untyped(first)]).toThrow(
      new TypeError(
        "tools.list: more pages follow this one. Use for await to read all of them, or items of the page for only this one.",
      ),
    );
    const whole = await svc.tools.list({ limit: 500 });
    expect([...untyped(whole)]).toEqual(whole.items);
    expect(whole).toEqual(await svc.tools.list({ limit: 500 }));
  });

  test("an id that is undefined", async () => {
    const error = await rejectionOf(SvcError, emulated().svc.connectedAccounts.get(untyped(undefined)));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error.message).toBe("connectedAccounts.get: the path parameter id must be a string, not undefined.");
  });

  test("a base URL with a version", async () => {
    const { emulator } = emulated();
    const { connection } = emulator;
    const error = await rejectionOf(
      SvcError,
      new Svc({ ...connection, baseUrl: `${connection.baseUrl}/v1` }).tools.list(),
    );
    expect(error.message).toContain("404 No GET /v1/api/v3.1/tools. Check baseUrl: paths of the API start with /api.");
  });

  test("a list of a toolkit that the emulator doesn't have is empty", async () => {
    expect((await emulated().svc.tools.list({ toolkit_slug: "gitlab" })).items).toEqual([]);
  });

  test.each([
    ["tools.exec", "Did you mean tools.execute?"],
    ["svc.tools.execute", "Did you mean tools.execute?"],
    ["POST /tools", 'Pass a name like tools.execute, or "*" for all.'],
  ])("a fault of an unknown operation: %s", (operation, advice) => {
    const { emulator } = emulated();
    // @ts-expect-error the compiler finds it first
    expect(() => emulator.faults.next(operation, { status: 500 })).toThrow(
      `faults: unknown operation ${operation}. ${advice}`,
    );
  });

  test("an account of another toolkit at a service that sends no advice", async () => {
    const message = "No connected account found with ID ca_slack for user ID ada for toolkit github";
    const slug = "ActionExecute_ConnectedAccountNotFound";
    const fetch = async () => Response.json({ error: { message, code: 1810, slug, status: 404 } }, { status: 404 });
    const svc = new Svc({ baseUrl: "https://example.com", apiKey: "ak_1", fetch });
    const body = { user_id: "ada", version: "20251023_00", arguments: {}, connected_account_id: "ca_slack" };
    expect((await rejectionOf(SvcError, svc.tools.execute("GITHUB_CREATE_AN_ISSUE", body))).message).toBe(
      `tools.execute: 404 ${message}. The id is wrong, or the account was deleted or belongs to another toolkit. Pass an account of the tool's toolkit, or omit connected_account_id to use the user's own.`,
    );
  });

  test("a base URL of something else than the service", async () => {
    const fetch = async () => new Response("<h1>Not here</h1>", { status: 404 });
    const error = await rejectionOf(
      SvcError,
      new Svc({ baseUrl: "https://example.com", apiKey: "ak_1", fetch }).tools.list(),
    );
    expect(error.message).toMatch(/^tools\.list: 404 an HTML page instead of the API's JSON: .*\. Check baseUrl\.$/);
  });

  test.each<[string, unknown, string]>([
    ["a key instead of options", "ak_1234", "the options must be an object. Pass a key as new Svc({ apiKey })."],
    [
      "an organization key as project key",
      { apiKey: "oak_1234" },
      "apiKey starts with oak_: pass it as orgApiKey, or set SVC_ORG_API_KEY.",
    ],
    [
      "a project key as organization key",
      { orgApiKey: "ak_1234" },
      "orgApiKey starts with ak_: pass it as apiKey, or set SVC_API_KEY.",
    ],
    [
      "a user key in the variable of project keys",
      { env: { SVC_API_KEY: "uak_1234" } },
      "SVC_API_KEY starts with uak_: pass it as userApiKey, or set SVC_USER_API_KEY.",
    ],
    [
      "a webhook's secret as key",
      { apiKey: "whsec_1234" },
      "apiKey starts with whsec_: that is the secret of a webhook subscription, not a key.",
    ],
    ["a key in quotes", { env: { SVC_API_KEY: "'ak_1234'" } }, "SVC_API_KEY is in quotes, which some environment"],
    ["a key in place of the base URL", { baseUrl: "ftp://ak_1234" }, "baseUrl contains a key or a secret."],
    ["a header's value as key", { apiKey: "Bearer ak_1234" }, "apiKey starts with Bearer: pass only the key."],
    [
      "an emulator in another container",
      { apiKey: "ak_1234", baseUrl: "http://emulator:4747" },
      "allowInsecureHttp: true or SVC_ALLOW_INSECURE_HTTP=true overrides this.",
    ],
  ])("%s", (_, options, message) => {
    const baseUrl = "https://api.example.com";
    const create = () => new Svc(untyped(typeof options === "string" ? options : { baseUrl, ...Object(options) }));
    expect(create).toThrow(ConfigError);
    expect(create).toThrow(message);
    expect(create).not.toThrow(/1234/);
  });
});

describe("a client in another object:", () => {
  const isPlain = (value: unknown) => typeof value === "object" && value !== null && !(value instanceof Promise);

  /** Reactive state: what an object contains is behind a proxy too. */
  const reactive = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get: (object, name, receiver) => {
        const value: unknown = Reflect.get(object, name, receiver);
        return isPlain(value) ? reactive(Object(value)) : value;
      },
    });

  /** A wrapper for tracing: as above, and each call of a function is recorded. */
  const traced = <Target extends object>(target: Target, names: string[]): Target =>
    new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name);
        if (isPlain(value)) return traced(Object(value), names);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          names.push(String(name));
          return Reflect.apply(value, object, given);
        };
      },
    });

  const traces: string[] = [];

  test.each<[string, (svc: Svc) => Svc]>([
    ["a proxy", (svc) => new Proxy(svc, {})],
    ["a heir", (svc) => Object.create(svc)],
    ["reactive state", reactive],
    ["a wrapper for tracing", (svc) => traced(svc, traces)],
  ])("%s works", async (_, wrap) => {
    const { svc } = emulated();
    const wrapped = wrap(svc);
    expect(await wrapped.tools.listSlugs()).toEqual(await svc.tools.listSlugs());
    expect(wrapped.tools.toolVersions).toBeInstanceOf(Map);
    expect(wrapped.rateLimit.queued).toBe(0);
    const session = reactive(await wrapped.toolRouter.create({ user_id: "ada" }));
    expect((await session.get()).id).toBe(session.id);
    expect(Object.keys(session.mcp.headers)).toEqual(["x-api-key"]);
    expect(await session.mounts().items()).toMatchObject({ items: [] });
  });

  const DETACHED =
    "A method was called without its client, as after const { execute } = svc.tools, or on a copy of it. Call it as in svc.tools.execute(…).";

  test("a method without its object says how to call it", () => {
    const { listSlugs: list } = emulated().svc.tools;
    expect(() => list()).toThrow(new TypeError(DETACHED));
    const { call } = emulated().svc;
    const probe = { name: "probe", method: "GET", path: "/", auth: [], retry: "safe", response: {} } as const;
    expect(() => call(probe, {})).toThrow(new TypeError(DETACHED));
  });

  test("a copy of an object says how to call its methods", () => {
    const { tools } = emulated().svc;
    const copy: typeof tools = Object.assign(Object.create(Object.getPrototypeOf(tools)), tools);
    expect(() => copy.listSlugs()).toThrow(new TypeError(DETACHED));
  });

  test("nothing prints the key", () => {
    const { svc } = emulated({ apiKey: "ak_secret_1234" });
    const printed = inspect(svc, { showHidden: true, getters: true, depth: 20 });
    expect(printed + inspect(reactive(svc), { showProxy: true, showHidden: true, depth: 20 })).not.toContain(
      "ak_secret",
    );
  });
});
