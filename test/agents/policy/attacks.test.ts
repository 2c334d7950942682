import { describe, expect, test } from "vitest";
import {
  type ClientToolsetOptions,
  memoryExecutions,
  type SessionToolsetOptions,
  tool,
  toolset,
} from "../../../src/agents/index.js";
import { allow, approvals, ask, budget, customPolicy, deny, dryRun, policy } from "../../../src/agents/policy-entry.js";
import { createEmulator, type ToolkitDefinition } from "../../../src/emulator/index.js";
import { ConfigError, Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { deciding, USER } from "../support.js";

const MULTI = "SVC_MULTI_EXECUTE_TOOL";
const PAY = "ACME_PAY";
const RULES = [allow({}), deny({ tools: [PAY], when: { amount: { atLeast: 100 } } })];

/** A tool that takes what it gets, and the arguments it was run with. */
function open(properties: object = {}) {
  const ran: unknown[] = [];
  const pay = {
    ...{ slug: PAY, name: "Pay", description: "Pays.", tags: [], input: { type: "object", properties } },
    output: { type: "object" },
    run: (call: { readonly arguments: unknown }) => {
      ran.push(call.arguments);
      return {};
    },
  };
  const versions = { "20260101_00": "The first." };
  const acme: ToolkitDefinition = {
    ...{ slug: "acme", name: "Acme", description: "Pays.", categories: [], auth: [], versions, tools: [pay] },
  };
  const svc = new Svc({ ...createEmulator({ toolkits: [acme] }).connection, env: {} });
  const direct = (options: Partial<ClientToolsetOptions>) => toolset(svc, { userId: USER, tools: [PAY], ...options });
  const inSession = async (options: SessionToolsetOptions) =>
    toolset(await svc.toolRouter.create({ user_id: USER, preload: { tools: [PAY] } }), { catalog: svc, ...options });
  return { svc, ran, direct, inSession };
}

const several = (callId: string, ...tools: readonly object[]) => ({
  ...{ callId, name: MULTI, arguments: { tools, sync_response_to_workbench: false, session_id: "s" } },
});

describe("the arguments that are judged", () => {
  test.each<[string, unknown, unknown]>([
    ["a number without an end", '{"amount":1e999}', { amount: null }],
    ["a negative zero", '{"amount":-0}', { amount: 0 }],
    ["the last of two equal keys", '{"amount":1,"amount":2}', { amount: 2 }],
    ["a string object", { to: Object("eve") }, { to: "eve" }],
    ["a date", { to: new Date(0) }, { to: "1970-01-01T00:00:00.000Z" }],
    ["a map", { to: new Map([["a", 1]]) }, { to: {} }],
    ["a value with toJSON", { to: { toJSON: () => "eve" } }, { to: "eve" }],
    ["a list with a hole", { to: new Array(1) }, { to: [null] }],
    ["an undefined member", { to: undefined }, {}],
  ])("are those that are sent: %s", async (_, given, sent) => {
    const judged: unknown[] = [];
    const { ran, direct } = open();
    const tools = await direct({
      policy: deciding((call) => {
        judged.push(call.arguments);
        return { outcome: "allow" };
      }),
    });
    expect(await tools.run([{ callId: "1", name: PAY, arguments: given }])).toMatchObject([{ status: "succeeded" }]);
    expect(judged).toStrictEqual([sent]);
    expect(ran).toStrictEqual([sent]);
  });

  test.each(["integer", "number"])("can't pass below a limit as an %s of many digits", async (type) => {
    const { ran, direct } = open({ amount: { type } });
    const tools = await direct({ policy: policy(RULES) });
    const given = '{"amount":99999999999999999999}';
    expect(await tools.run([{ callId: "1", name: PAY, arguments: given }])).toMatchObject([{ status: "not_run" }]);
    expect(ran).toEqual([]);
  });

  test("are read once, so a getter can't change them between the decision and the effect", async () => {
    let reads = 0;
    const { ran, direct } = open({ amount: { type: "integer" } });
    const tools = await direct({ policy: policy(RULES) });
    const given = {
      get amount() {
        reads += 1;
        return reads === 1 ? 1 : 1_000;
      },
    };
    await tools.run([{ callId: "1", name: PAY, arguments: given }]);
    expect(ran).toEqual([{ amount: 1 }]);
  });

  test("keep a key named __proto__ as a key", async () => {
    const { ran, direct } = open();
    const tools = await direct({ policy: policy([allow({}), deny({ when: { amount: { present: true } } })]) });
    await tools.run([{ callId: "1", name: PAY, arguments: '{"__proto__":{"amount":1}}' }]);
    expect(JSON.stringify(ran)).toBe('[{"__proto__":{"amount":1}}]');
  });

  test("of a call inside of another one match its tool's schema, as those of a direct call", async () => {
    const { ran, direct, inSession } = open({ amount: { type: "integer" } });
    const guards = { policy: policy(RULES) };
    const args = { amount: "100" };
    const [own] = await (await direct(guards)).run([{ callId: "1", name: PAY, arguments: args }]);
    const [inner] = await (await inSession(guards)).run([several("1", { tool_slug: PAY, arguments: args })]);
    expect([own?.status, inner?.status]).toEqual(["not_run", "not_run"]);
    expect(inner?.text).toContain("The arguments of tools[0] don't match its schema. amount:");
    expect(ran).toEqual([]);
  });
});

test("a count that returns nothing runs nothing", async () => {
  const { ran, direct } = open();
  // @ts-expect-error an untyped caller forgot to return
  const custom = customPolicy({ digest: "test", decide: () => ({ outcome: "allow" }), count: async () => undefined });
  const tools = await direct({ policy: custom });
  expect(await tools.run([{ callId: "1", name: PAY, arguments: {} }])).toMatchObject([{ status: "not_run" }]);
  expect(ran).toEqual([]);
});

test("a local tool that threw doesn't run again, even if its error says that a request was rejected", async () => {
  const { svc } = open();
  const gate = approvals({ keys: [{ id: "one", secret: "a key for tests, 0123456789 0123456789" }] });
  let effects = 0;
  const pays = tool({
    ...{ name: "pay_and_report", description: "Pays, then reports.", parameters: { type: "object" } },
    execute: async () => {
      effects += 1;
      await svc.tools.execute("ACME_REPORT", { user_id: USER, version: "20260101_00", arguments: {} });
    },
  });
  const guards = { policy: policy([ask({})]), approvals: gate, executions: memoryExecutions() };
  const tools = await toolset(svc, { ...guards, userId: USER, tools: [pays] });
  const [asked] = await tools.run([{ callId: "1", name: "pay_and_report", arguments: {} }]);
  if (!asked?.pendingApproval) throw new Error(asked?.text);
  const token = await gate.approve(asked.pendingApproval, { approver: "ada" });
  expect(await tools.run([asked.pendingApproval.call], { approvals: [token] })).toMatchObject([{ status: "unknown" }]);
  expect(await tools.run([asked.pendingApproval.call], { approvals: [token] })).toMatchObject([{ status: "unknown" }]);
  expect(effects).toBe(1);
});

describe("a budget about the tool that runs several", () => {
  test("counts its calls, and inner calls only if it names their tools", async () => {
    const { ran, inSession } = open();
    const tools = await inSession({ policy: policy([allow({}), budget({ tools: [MULTI], maxCalls: 2 })]) });
    const call = { tool_slug: PAY, arguments: {} };
    const results = [];
    for (const callId of ["1", "2", "3"]) results.push(...(await tools.run([several(callId, call, call)])));
    expect(results.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "not_run"]);
    expect(ran).toHaveLength(4);
  });
});

describe("a meta tool that a catalog lists", () => {
  /** A catalog that lists a meta tool as if it was any other tool. */
  async function listing(svc: Svc, slug: string): Promise<Pick<Svc, "tools">> {
    const [like] = (await svc.tools.list({ tool_slugs: PAY })).items;
    const page = { items: [{ ...like, slug }] };
    const list = () => ({
      ...page,
      [Symbol.asyncIterator]: async function* () {
        yield* page.items;
      },
    });
    // Only what a toolset reads of it.
    return { tools: { list, execute: svc.tools.execute } } as unknown as Pick<Svc, "tools">;
  }

  test.each([MULTI, "SVC_REMOTE_BASH_TOOL", "SVC_NEW_META_TOOL"])(
    "isn't run inside of another call: %s",
    async (slug) => {
      const { svc } = open();
      const session = await svc.toolRouter.create({ user_id: USER });
      const tools = await toolset(session, {
        ...{ catalog: await listing(svc, slug), policy: policy([allow({ tools: ["*", slug] })]) },
        tools: [MULTI],
      });
      const [result] = await tools.run([several("1", { tool_slug: slug, arguments: {} })]);
      expect(result?.text).toContain(slug === MULTI ? "" : "isn't a known tool, so it can't be allowed");
      expect(result?.status).toBe("not_run");
    },
  );

  test("is judged by the calls it makes, also outside of a session", async () => {
    const { svc } = open();
    const tools = await toolset(await listing(svc, MULTI), {
      ...{
        userId: USER,
        tools: [MULTI],
        policy: policy([allow({}), deny({ tools: [PAY] })], { allowUnknownNames: true }),
      },
    });
    const [result] = await tools.run([several("1", { tool_slug: PAY, arguments: {} })]);
    expect(result?.text).toContain("isn't a known tool, so it can't be allowed");
  });
});

test("a dry run hides all strings under names of secrets, in lists and objects too", async () => {
  const { direct } = open();
  const tools = await direct({ policy: policy([dryRun({})]) });
  const args = { tokens: ["a", "b"], credentials: { user: "ada", retries: 3 }, pwd: "x", to: "bob" };
  expect(await tools.run([{ callId: "1", name: PAY, arguments: args }])).toMatchObject([
    {
      data: {
        arguments: {
          ...{ tokens: ["[redacted]", "[redacted]"], credentials: { user: "[redacted]", retries: "[redacted]" } },
          ...{ pwd: "[redacted]", to: "bob" },
        },
      },
    },
  ]);
});

describe("a mistake that would let more run than was meant is an error", () => {
  const missing: string[] | undefined = undefined;
  const none: number | undefined = undefined;
  test.each<[string, () => unknown, string]>([
    // @ts-expect-error a setting that is missing
    ["tools", () => policy([allow({ tools: missing })]), "rules[0].allow.tools is undefined. Omit it"],
    // @ts-expect-error a setting that is missing
    ["when", () => policy([ask({ when: missing })]), "rules[0].ask.when is undefined. Omit it"],
    [
      "maxCalls",
      // @ts-expect-error a setting that is missing
      () => policy([budget({ maxCalls: none, maxCallsPerTool: 1 })]),
      "rules[0].budget.maxCalls is undefined. Omit",
    ],
    // @ts-expect-error a misspelled option
    ["budget", () => policy([], { budget: {} }), "policy: Unknown option budget. Did you mean budgets?"],
    [
      "budgets",
      // @ts-expect-error not a store
      () => policy([], { budgets: {} }),
      "policy: budgets must be memoryBudgets(), redisBudgets({ client }) or an object with consume(), read().",
    ],
    // @ts-expect-error options that are missing
    ["no options", () => approvals(), "keys must be a list of 1 to 8 keys."],
    // @ts-expect-error not a list
    ["keys", () => approvals({ keys: { id: "one", secret: "two" } }), "keys must be a list of 1 to 8 keys."],
  ])("%s", (_, make, message) => {
    expect(make).toThrow(message);
  });

  test.each([[{ accounts: { acme: "ca_safe" } }], [{ userId: USER }]])(
    "%j for a session, which chooses its own and would ignore it",
    async (options) => {
      // Untyped callers can pass it.
      const { message } = await rejectionOf(ConfigError, open().inSession(options as SessionToolsetOptions));
      expect(message).toMatch(/^toolset: \w+ doesn't apply to a session\.$/);
    },
  );
});
