import { describe, expect, test } from "vitest";
import { AuthRequiredError, type ClientToolsetOptions, tool, toolset } from "../../src/agents/index.js";
import { allow, ask, deny, policy } from "../../src/agents/policy-entry.js";
import type { Emulator } from "../../src/emulator/index.js";
import { ConfigError, needsConnection, Svc } from "../../src/index.js";
import { rejectionOf } from "../support/client.js";
import { gated } from "./approvals/support.js";
import { THROUGH } from "./every-adapter.js";
import { type Bench, bench, COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "./support.js";

const WORK = "ca_github_demo";
const issue = (args: object = ISSUE, callId = "1") => ({ callId, name: CREATE_ISSUE, arguments: args });

/** Connects another GitHub account, and returns its id. */
async function connect({ svc, emulator }: Pick<Bench, "svc" | "emulator">, alias: string, fields: object = {}) {
  const { items } = await svc.authConfigs.list({ toolkit_slug: "github" });
  const body = { auth_config_id: items[0]?.id ?? "", user_id: USER, alias, ...fields };
  const { connected_account_id: id } = await svc.connectedAccounts.link(body);
  emulator.accounts.activate(id);
  return id;
}

const everyone = { account_type: "SHARED", acl_config_for_shared: { allow_all_users: true } };
const shared = { user_id: "ada", experimental: everyone };

const sentAccounts = ({ requests }: Emulator) =>
  requests
    .filter(({ operation }) => operation === "tools.execute")
    .map(({ body }) => JSON.parse(body ?? ""))
    .map(({ connected_account_id: id, arguments: args }) => [id, args]);
const listed = ({ requests }: Emulator) =>
  requests.filter(({ operation }) => operation === "connectedAccounts.list").length;

/** A toolset of a user with a second account. */
async function withTwo(options: Partial<ClientToolsetOptions> = {}) {
  const made = await bench(options);
  const other = await connect(made, "private");
  return { ...made, other };
}

describe("a call without a chosen account", () => {
  test.each(Object.entries(THROUGH))("runs nothing through %s if the user has two", async (_, { run }) => {
    const { tools, executions } = await withTwo();
    const text = await run(tools, CREATE_ISSUE, ISSUE);
    expect(text).toContain(`${CREATE_ISSUE} did not run. It isn't known which github account is meant: "private", `);
    expect(executions()).toBe(0);
  });

  test("runs through the user's only account, with one request per toolkit", async () => {
    const { tools, emulator } = await bench();
    await tools.run([issue(), issue({ ...ISSUE, title: "b" }, "2"), issue({ ...ISSUE, title: "c" }, "3")]);
    await tools.run([issue({ ...ISSUE, title: "d" }, "4")]);
    expect(sentAccounts(emulator).map(([id]) => id)).toEqual([WORK, WORK, WORK, WORK]);
    expect(listed(emulator)).toBe(1);
  });

  test("runs nothing if the user has two, although the service returns one per page", async () => {
    const { emulator, svc } = await withTwo();
    const fetch = (request: Request) => {
      const url = new URL(request.url);
      if (url.pathname.endsWith("/connected_accounts")) url.searchParams.set("limit", "1");
      return emulator.fetch(new Request(url, request));
    };
    const clamped = new Svc({ ...emulator.connection, fetch, env: {} });
    const tools = await toolset(clamped, { userId: USER, tools: [CREATE_ISSUE] });
    const [result] = await tools.run([issue()]);
    expect(result?.authRequired?.accounts).toHaveLength(2);
    expect((await svc.connectedAccounts.list({ user_ids: [USER] })).items.length).toBeGreaterThan(1);
  });

  test("stays with that account if the user connects another one in between", async () => {
    const { tools, emulator, svc } = await bench();
    await tools.run([issue()]);
    await connect({ svc, emulator }, "private");
    await tools.run([issue({ ...ISSUE, title: "b" }, "2")]);
    expect(sentAccounts(emulator).map(([id]) => id)).toEqual([WORK, WORK]);
  });

  test("needs no request for a tool without accounts, a local tool, and set accounts", async () => {
    const own = tool({ name: "own", description: "", parameters: { type: "object" }, execute: () => 1 });
    const { tools, emulator } = await bench({ tools: [CREATE_ISSUE, COUNT_WORDS, own], accounts: { github: WORK } });
    const results = await tools.run([
      issue(),
      { callId: "2", name: COUNT_WORDS, arguments: { text: "a" } },
      { callId: "3", name: "own", arguments: {} },
    ]);
    expect(results.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(listed(emulator)).toBe(0);
  });

  test("isn't looked for under a user id with a comma, which a list would read as two users", async () => {
    const problem =
      'toolset: accounts of a userId with a comma can\'t be listed: pass accounts, or accounts: "newest".';
    await expect(bench({ userId: `${USER},ada` })).rejects.toThrow(new ConfigError(problem));
    const { tools, emulator } = await bench({ userId: "Doe, Jane", accounts: "newest" });
    expect(await tools.run([issue()])).toMatchObject([{ authRequired: { reason: "not_connected" } }]);
    expect(listed(emulator)).toBe(0);
  });

  test("takes the newest account, without a request, with accounts: newest", async () => {
    const { tools, emulator } = await withTwo({ accounts: "newest" });
    expect(await tools.run([issue()])).toMatchObject([{ status: "succeeded" }]);
    expect(sentAccounts(emulator)).toEqual([[undefined, ISSUE]]);
    expect(listed(emulator)).toBe(0);
  });

  test("tells an own account from one that another user shares", async () => {
    const { tools, svc, emulator, executions } = await bench();
    await connect({ svc, emulator }, "team", shared);
    const [result] = await tools.run([issue()]);
    expect(result?.text).toContain('"team" (shared by another user), "github_');
    expect(result?.authRequired?.accounts.map(({ isShared }) => isShared)).toEqual([true, false]);
    expect(executions()).toBe(0);
  });

  test("never runs through an account that another user shares, even if it's the only one", async () => {
    const { tools, svc, emulator, executions } = await bench({ userId: "nobody" });
    await connect({ svc, emulator }, "team", shared);
    expect(await tools.run([issue()])).toMatchObject([{ authRequired: { reason: "account_required" } }]);
    expect(executions()).toBe(0);
  });

  test("shows hidden characters of a label escaped, and at most 64 characters", async () => {
    const { tools, svc, emulator } = await bench();
    await connect({ svc, emulator }, `work\u202e${"x".repeat(100)}`);
    const [result] = await tools.run([issue()]);
    expect(result?.text).toContain(`"work\\u202e${"x".repeat(59)}"`);
  });

  test("runs nothing if the accounts can't be read", async () => {
    const { tools, emulator, executions } = await bench();
    emulator.faults.next("connectedAccounts.list", { status: 403 });
    // Either of the two may read first.
    const results = await tools.run([issue(), issue(ISSUE, "2")]);
    expect(results.toSorted((one, other) => one.status.localeCompare(other.status))).toMatchObject([
      { status: "not_run", error: { status: 403 } },
      { status: "succeeded" },
    ]);
    expect(executions()).toBe(1);
    const client = { tools: (await bench()).svc.tools };
    const error = await rejectionOf(ConfigError, toolset(client, { userId: USER, tools: [CREATE_ISSUE] }));
    expect(error.message).toBe(
      'toolset: without connectedAccounts of the client, pass accounts, or accounts: "newest".',
    );
    await toolset(client, { userId: USER, tools: [CREATE_ISSUE], accounts: { github: WORK } });
  });
});

describe("the program", () => {
  test("chooses once for the conversation, in all toolsets of the client", async () => {
    const { svc, emulator, other } = await withTwo();
    const options = { userId: USER, tools: [CREATE_ISSUE], conversationId: "conversation-1" };
    const first = await toolset(svc, { ...options, onAuthRequired: "throw" });
    const error = await rejectionOf(AuthRequiredError, first.run([issue()]));
    expect(error).toMatchObject({ reason: "account_required", toolkit: "github", condition: undefined });
    expect(error.message).toContain("Pass the id of the account to choose()");
    expect(needsConnection(error)).toBeUndefined();
    expect(error.accounts.map(({ id }) => id)).toEqual([other, WORK]);
    expect(() => error.choose("ca_typo")).toThrow(ConfigError);
    error.choose(WORK);
    expect(await first.run([issue()])).toMatchObject([{ status: "succeeded" }]);
    const second = await toolset(svc, options);
    expect(await second.run([issue({ ...ISSUE, title: "b" }, "2")])).toMatchObject([{ status: "succeeded" }]);
    const elsewhere = await toolset(svc, { ...options, conversationId: "conversation-2" });
    expect(await elsewhere.run([issue()])).toMatchObject([{ authRequired: { reason: "account_required" } }]);
    expect(sentAccounts(emulator).map(([id]) => id)).toEqual([WORK, WORK]);
  });

  test("is asked once per turn, and says what the model reads", async () => {
    const asked: string[] = [];
    const { tools } = await withTwo({
      onAuthRequired: ({ reason, accounts, choose }) => {
        asked.push(reason);
        choose(accounts.find(({ label }) => label === "private")?.id ?? "");
        return "The user has chosen private. Call it again.";
      },
    });
    const calls = [issue(), issue({ ...ISSUE, title: "b" }, "2")];
    expect((await tools.run(calls)).map(({ text }) => text)).toEqual(
      Array(2).fill("The user has chosen private. Call it again."),
    );
    expect(asked).toEqual(["account_required"]);
    expect(await tools.run(calls)).toMatchObject([{ status: "succeeded" }, { status: "succeeded" }]);
  });

  test("is asked again if the chosen account is lost, even if only one is left", async () => {
    const { tools, emulator, other } = await withTwo();
    const [result] = await tools.run([issue()]);
    result?.authRequired?.choose(other);
    emulator.accounts.expire(other);
    expect(await tools.run([issue()])).toMatchObject([{ authRequired: { reason: "expired" } }]);
    const [again] = await tools.run([issue()]);
    expect(again).toMatchObject({ status: "not_run", authRequired: { reason: "account_required" } });
    expect(again?.authRequired?.accounts.map(({ id }) => id)).toEqual([WORK]);
  });
});

describe("labels", () => {
  const labelled = async (options: Partial<ClientToolsetOptions> = {}) => {
    const { svc, emulator } = await bench();
    const other = await connect({ svc, emulator }, "private");
    const accounts = { github: { work: WORK, private: other } };
    const choice = { userId: USER, tools: [CREATE_ISSUE, COUNT_WORDS], accounts };
    return { tools: await toolset(svc, { ...choice, ...options }), emulator, svc, other, choice };
  };

  test.each(Object.entries(THROUGH))("are a required argument through %s", async (_, { shown, run }) => {
    const { tools, emulator, other } = await labelled();
    expect(JSON.stringify(shown(tools))).toMatch(/"enum":\["work","private"\]/);
    const wrong = await run(tools, CREATE_ISSUE, ISSUE);
    expect(wrong).toContain('account: expected "work" or "private", received missing');
    expect(await run(tools, CREATE_ISSUE, { ...ISSUE, account: "other" })).toContain('"work" or "private"');
    expect(sentAccounts(emulator)).toEqual([]);
    await run(tools, CREATE_ISSUE, { ...ISSUE, account: "private" });
    expect(sentAccounts(emulator)).toEqual([[other, ISSUE]]);
    expect(listed(emulator)).toBe(0);
  });

  test("are evaluated by policies, as labels and as ids", async () => {
    const byLabel = policy([allow({}), deny({ when: { account: { is: "work" } } })]);
    const byId = policy([allow({}), deny({ accounts: [WORK] })]);
    for (const rules of [byLabel, byId]) {
      const { tools, emulator, other } = await labelled({ policy: rules });
      const results = await tools.run([
        issue({ ...ISSUE, account: "work" }),
        issue({ ...ISSUE, account: "private" }, "2"),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["not_run", "succeeded"]);
      expect(sentAccounts(emulator).map(([id]) => id)).toEqual([other]);
    }
  });

  test("are shown to the person who approves, with the id, and the approval is for no other", async () => {
    const accounts = { github: { work: WORK, private: "ca_other" } };
    const { tools, gate, ask: asked } = await gated({ accounts, tools: [CREATE_ISSUE], policy: policy([ask({})]) });
    const pending = await asked("1", { ...ISSUE, account: "work" });
    expect(pending).toMatchObject({ accountId: WORK, arguments: { account: "work" } });
    const token = await gate.approve(pending, { approver: "ada" });
    const swapped = { ...pending.call, arguments: { ...ISSUE, account: "private" } };
    expect(await tools.run([swapped], { approvals: [token] })).toMatchObject([{ status: "pending" }]);
    expect(await tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "succeeded" }]);
  });

  test("can be set by the program for each call", async () => {
    const { tools, emulator } = await labelled({ bind: { [CREATE_ISSUE]: { account: () => "work" } } });
    expect(JSON.stringify(tools.tools[0]?.parameters)).not.toContain('"account":');
    expect(await tools.run([issue()])).toMatchObject([{ status: "succeeded" }]);
    expect(sentAccounts(emulator)).toEqual([[WORK, ISSUE]]);
  });

  test("have another name if the tool has an argument of that name, and fit into closed schemas", async () => {
    const { svc, emulator, choice } = await labelled();
    const record = toolset(svc, choice).then((made) => made.toJSON().tools.find(({ slug }) => slug === CREATE_ISSUE));
    const closed = { type: "object", properties: { account: { type: "string" } }, additionalProperties: false };
    const input_parameters = { $ref: "#/$defs/a", $defs: { a: { type: "object", allOf: [closed] } } };
    const from = { formatVersion: 1 as const, tools: [{ ...(await record), input_parameters } as never] };
    const tools = await toolset(svc, { ...choice, tools: [], from });
    const both = { account: "ledger", connected_account: "work" };
    await tools.run([issue(both)]);
    expect(sentAccounts(emulator)).toEqual([[WORK, { account: "ledger" }]]);
  });

  test("are the only argument that isn't sent: an argument with an empty name is, with an account of any kind", async () => {
    const { svc, emulator, choice } = await labelled();
    const made = await toolset(svc, choice);
    const record = made.toJSON().tools.find(({ slug }) => slug === CREATE_ISSUE);
    const from = { formatVersion: 1, tools: [{ ...record, input_parameters: { type: "object" } }] } as never;
    const given = { "": "kept", title: "a" };
    for (const accounts of [{ github: WORK }, { github: { work: WORK } }, "newest"] as const) {
      const tools = await toolset(svc, { userId: USER, from, accounts });
      const account = typeof accounts === "object" && typeof accounts.github === "object" && { account: "work" };
      await tools.run([issue({ ...given, ...account }, JSON.stringify(accounts))]);
    }
    expect(sentAccounts(emulator)).toEqual([
      [WORK, given],
      [WORK, given],
      [undefined, given],
    ]);
  });

  test.each<[string, object, boolean]>([
    ["that lists no properties", { type: "object" }, true],
    ["that lists none by reference", { $ref: "#/$defs/any", $defs: { any: { type: "object" } } }, true],
    ["that takes no properties", { type: "object", properties: {}, additionalProperties: false }, false],
  ])("leave the other arguments of a schema as they are: one %s", async (_, input_parameters, isOpen) => {
    const { svc, emulator, choice } = await labelled();
    const record = (await toolset(svc, choice)).toJSON().tools.find(({ slug }) => slug === CREATE_ISSUE);
    const from = { formatVersion: 1, tools: [{ ...record, input_parameters }] } as never;
    const tools = await toolset(svc, { ...choice, tools: [], from });
    await tools.run([issue({ account: "work", title: "a" })]);
    expect(sentAccounts(emulator)).toEqual(isOpen ? [[WORK, { title: "a" }]] : []);
  });

  test.each([[{ github: {} }], [{ github: { work: "" } }], [{ github: "" }], [{ github: { work: 1 } }]])(
    "must have ids: %j",
    async (accounts) => {
      const error = await rejectionOf(ConfigError, bench({ accounts: accounts as never }));
      expect(error.message).toContain("toolset: accounts.github must be the id of an account, or labels with ids");
    },
  );
});

describe("an account that can't be used anymore", () => {
  test.each([
    ["expired", "expired", "The github account has expired."],
    ["revoked", "revoked", "The github account was revoked."],
    ["disabled", "inactive", "The github account was disabled."],
    ["of another user", "other_user", "The github account belongs to another user."],
  ])("runs nothing if it is %s, and the user can connect one", async (kind, reason, sentence) => {
    const { svc, emulator, executions } = await bench();
    const id = await connect({ svc, emulator }, "second", kind === "of another user" ? { user_id: "ada" } : {});
    const tools = await toolset(svc, { userId: USER, tools: [CREATE_ISSUE], accounts: { github: { work: id } } });
    if (kind === "expired") emulator.accounts.expire(id);
    if (kind === "revoked") emulator.accounts.revoke(id);
    if (kind === "disabled") await svc.connectedAccounts.disable(id);
    const [result] = await tools.run([issue({ ...ISSUE, account: "work" })]);
    expect(result).toMatchObject({ status: "not_run", authRequired: { reason, accounts: [] } });
    expect(result?.text).toBe(
      `${CREATE_ISSUE} did not run. ${sentence} Ask the user to connect it, then call ${CREATE_ISSUE} again.`,
    );
    expect(await result?.authRequired?.linkUrl()).toMatch(/^http/);
    expect(() => result?.authRequired?.choose(id)).toThrow(ConfigError);
    expect(executions()).toBe(1);
  });

  test("makes the next call look for another one", async () => {
    const { tools, svc, emulator } = await bench();
    await tools.run([issue()]);
    emulator.accounts.expire(WORK);
    expect(await tools.run([issue({ ...ISSUE, title: "b" }, "2")])).toMatchObject([
      { authRequired: { reason: "expired" } },
    ]);
    const fresh = await connect({ svc, emulator }, "again");
    expect(await tools.run([issue({ ...ISSUE, title: "b" }, "2")])).toMatchObject([{ status: "succeeded" }]);
    expect(sentAccounts(emulator).map(([id]) => id)).toEqual([WORK, WORK, fresh]);
  });
});
