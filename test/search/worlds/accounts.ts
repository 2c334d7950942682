// The account through which a call runs: the one that was approved, and none that is missing.
import { aiSdkApproval } from "../../../src/agents/adapters/ai-sdk.js";
import { openai } from "../../../src/agents/adapters/openai.js";
import { type AuthRequired, memoryExecutions, toolset } from "../../../src/agents/index.js";
import {
  allow,
  approvals,
  ask,
  budget,
  memoryApprovals,
  memoryBudgets,
  policy,
} from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition, World } from "../world.js";
import { KEYS, toolOf } from "./decisions.js";
import { scripted } from "./scripted.js";

const ADA = { approver: "ada" };

interface Account {
  readonly id: string;
  readonly status: string;
}

/** A service whose user has accounts of a bank, and a toolset of it. */
async function bank(
  world: World,
  rules: Parameters<typeof policy>[0],
  options: object = {},
  tools = [toolOf("PAY", "20251023_00", false)],
  more: object = {},
  budgets = memoryBudgets(),
) {
  const has = {
    accounts: [] as Account[],
    /** Takes the place of the response to executions. */
    answer: undefined as Response | undefined,
    ran: [] as string[],
    lists: [] as string[],
  };
  const svc = new Svc({
    ...{ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0 },
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname.includes("/tools/execute/")) {
        const { connected_account_id: account, arguments: args } = await request.json();
        if (has.answer) return has.answer.clone();
        world.note("service", `${args.to} by ${account}`);
        has.ran.push(`${args.to} ${account}`);
        return Response.json({ data: {}, successful: true, error: null, log_id: "log_1" });
      }
      const statuses = searchParams.get("statuses");
      has.lists.push(`${statuses}`);
      const items = has.accounts
        .filter(({ status }) => statuses === null || statuses === status)
        .map((account) => ({ ...account, user_id: "user-1", toolkit: { slug: "bank" }, is_disabled: false }));
      const most = Number(searchParams.get("limit") ?? 100);
      return Response.json({ items: items.slice(0, most), next_cursor: null });
    },
  });
  const gate = approvals({ keys: KEYS.slice(0, 1), ...more });
  const guardrails = policy([...rules], { budgets, allowUnknownNames: true });
  const made = await toolset(svc, {
    ...{ userId: "user-1", from: { formatVersion: 1, tools }, policy: guardrails, approvals: gate },
    ...{ executions: memoryExecutions(), accounts: "newest", ...options },
  });
  const run = async (callId: string, approved: readonly string[] = []) => {
    const [result] = await made.run([{ callId, name: "PAY", arguments: { to: callId } }], { approvals: approved });
    return result;
  };
  const ended = async (callId: string, approved: readonly string[] = []) => {
    const result = await run(callId, approved);
    return [result?.status, result?.authRequired?.reason, result?.pendingApproval?.accountId];
  };
  const used = async (id = "calls") => (await guardrails.budgets.read({ id, userId: "user-1" }))[0]?.used;
  return { has, gate, run, ended, used, made };
}

const active = (id: string): Account => ({ id, status: "ACTIVE" });

const call = (callId: string) => ({ callId, name: "PAY", arguments: { to: callId } });

export const accountsOfCalls: readonly Definition[] = [
  scripted("tickets: 1 process, an account that a turn waits for", async (_, see, world) => {
    const { has, made } = await bank(world, [ask({})]);
    const { run } = openai(made);
    const output = [{ type: "function_call", call_id: "call_a", name: "PAY", arguments: '{"to":"a"}' }];
    const ticket = await (await run({ id: "resp_1", output })).suspend([]);
    see("what waits", ticket.authRequired, [{ callId: "call_a", toolkit: "bank", reason: "not_connected" }]);
    see("nothing ran", has.ran, []);
  }),
  scripted("accounts: 1 process, what a program is told of one that is missing", async (_, see, world) => {
    const told: string[] = [];
    const onAuthRequired = async ({ toolkit, reason, userId }: AuthRequired) => {
      told.push(`${userId} ${toolkit} ${reason}`);
      return "Connect your bank.";
    };
    const { has, made } = await bank(world, [allow({})], { onAuthRequired });
    const error = { message: "No connected account found", status: 404, code: 1810 };
    has.answer = Response.json({ error }, { status: 404 });
    const results = await made.run([call("a"), call("b")]);
    see(
      "once for a turn",
      [told, results.map(({ status, text }) => `${status} ${text}`)],
      [["user-1 bank not_connected"], ["not_run Connect your bank.", "not_run Connect your bank."]],
    );
    told.length = 0;
    await aiSdkApproval(made)({ toolCall: { toolCallId: "c", toolName: "PAY", input: { to: "c" } } } as never);
    see("not if a library only asks", told, []);
    const throwing = await bank(world, [allow({})], { onAuthRequired: "throw" });
    throwing.has.answer = has.answer;
    const thrownBy = throwing.made.run([call("a")]);
    const name = await thrownBy.catch((error: Error) => [error.name, Reflect.get(error, "results").length]);
    see("or it is thrown", name, ["AuthRequiredError", 1]);
    has.answer = undefined;
    see("one", [(await made.run([call("a")]))[0]?.status, told.length], ["succeeded", 0]);
  }),
  scripted("accounts: 1 process, the account that is approved", async (_, see, world) => {
    const { has, gate, run, ended } = await bank(world, [ask({})]);
    see("none", await ended("a"), ["not_run", "not_connected", undefined]);
    for (const [status, reason] of [
      ["INACTIVE", "inactive"],
      ["EXPIRED", "expired"],
      ["FAILED", "failed"],
    ] as const) {
      has.accounts = [{ id: "ca_0", status }];
      see(status, await ended("a"), ["not_run", reason, undefined]);
    }
    has.accounts = [active("ca_1")];
    see("one", await ended("a"), ["pending", undefined, "ca_1"]);
    const token = await gate.approve((await run("a"))?.pendingApproval as never, ADA);
    has.accounts = [active("ca_2")];
    see("another one", await ended("a", [token]), ["pending", undefined, "ca_2"]);
    has.accounts = [active("ca_1")];
    see("the one", await ended("a", [token]), ["succeeded", undefined, undefined]);
    see("the service ran", has.ran, ["a ca_1"]);
  }),
  scripted("accounts: 1 process, what is read for a request", async (_, see, world) => {
    const { has, made, ended } = await bank(world, [ask({})], {}, undefined, { store: memoryApprovals() });
    has.accounts = [active("ca_1")];
    const reads = () => has.lists.splice(0);
    await made.run([call("a")], { dryRun: true });
    see("in a dry run, only which account it is", reads(), ["ACTIVE"]);
    see("it waits", [(await ended("a"))[0], reads()], ["pending", ["ACTIVE", "null"]]);
    see("no more for one that is open", [(await ended("a"))[0], reads()], ["pending", ["ACTIVE"]]);
  }),
  scripted("accounts: 1 process, the program's account", async (_, see, world) => {
    const { has, gate, run, ended } = await bank(world, [ask({})], { accounts: { bank: "ca_own" } });
    see("it is asked about", await ended("a"), ["pending", undefined, "ca_own"]);
    see("no other one is looked for", has.lists.includes("ACTIVE"), false);
    const token = await gate.approve((await run("a"))?.pendingApproval as never, ADA);
    see("it runs", await ended("a", [token]), ["succeeded", undefined, undefined]);
    see("the service ran", has.ran, ["a ca_own"]);
  }),
  scripted("accounts: 1 process, tools that need none", async (_, see, world) => {
    const { has, gate, run, ended } = await bank(world, [ask({})], {}, [toolOf("PAY")]);
    see("without an account", await ended("a"), ["pending", undefined, null]);
    const token = await gate.approve((await run("a"))?.pendingApproval as never, ADA);
    see("it runs", await ended("a", [token]), ["succeeded", undefined, undefined]);
    see("none is looked for", has.lists, []);
    const { toolkit: _toolkit, ...loose } = toolOf("PAY", "20251023_00", false);
    const other = await bank(world, [ask({})], {}, [loose as never]);
    see("without a toolkit", [await other.ended("b"), other.has.lists], [["pending", undefined, null], []]);
    see("the service ran", has.ran, ["a undefined"]);
  }),
  scripted("accounts: 1 process, budgets of calls that lack one", async (_, see, world) => {
    const rules = [allow({}), budget({ id: "calls", maxCalls: 3 })];
    const { has, ended, used } = await bank(world, rules, { accounts: undefined });
    see("none", [await ended("a"), await used()], [["not_run", "not_connected", undefined], 0]);
    has.accounts = [active("ca_1")];
    see("one", [await ended("a"), await used()], [["succeeded", undefined, undefined], 1]);
    const several = await bank(world, rules, { accounts: undefined });
    several.has.accounts = [active("ca_1"), active("ca_2")];
    see("two", await several.ended("a"), ["not_run", "account_required", undefined]);
    see("none is chosen", [several.has.ran, await several.used()], [[], 0]);
    const error = {
      message: "Connected account is not active: EXPIRED",
      status: 400,
      code: 1820,
      slug: "ConnectedAccount_NotActive",
    };
    has.answer = Response.json({ error }, { status: 400 });
    see("it has expired", [(await ended("b"))[0], await used()], ["not_run", 2]);
    has.answer = undefined;
    see("it is counted once", [(await ended("b"))[0], await used()], ["succeeded", 2]);
    see("the next one", [(await ended("c"))[0], await used()], ["succeeded", 3]);
    see("no more", (await ended("d"))[0], "not_run");
  }),
  scripted("accounts: 1 process, a call that was counted and lacks one still", async (_, see, world) => {
    const rules = [
      allow({}),
      budget({ id: "calls", maxCalls: 3 }),
      budget({ id: "minute", maxCalls: 9, windowMs: 60_000 }),
    ];
    const { has, ended, used } = await bank(world, [...rules, budget({ id: "none", maxCalls: 1, tools: ["NONE*"] })]);
    const error = { message: "No connected account found", status: 404, code: 1810 };
    has.answer = Response.json({ error }, { status: 404 });
    see("it has none", [(await ended("a"))[0], await used(), await used("minute")], ["not_run", 1, 1]);
    see("nor later", [(await ended("a"))[0], await used(), await used("minute")], ["not_run", 1, 1]);
    has.accounts = [active("ca_1")];
    has.answer = undefined;
    see("then", [(await ended("a"))[0], await used(), await used("minute")], ["succeeded", 1, 2]);
    see("by the account that was there", has.ran, ["a ca_1"]);
  }),
  scripted("accounts: 1 process, a call that lacks one and a new budget", async (_, see, world) => {
    const [executions, budgets] = [memoryExecutions(), memoryBudgets()];
    const error = { message: "No connected account found", status: 404, code: 1810 };
    const under = (id: string) =>
      bank(world, [allow({}), budget({ id, maxCalls: 3 })], { executions }, undefined, {}, budgets);
    const first = await under("old");
    first.has.answer = Response.json({ error }, { status: 404 });
    see("it is counted", [(await first.ended("a"))[0], await first.used("old")], ["not_run", 1]);
    const { has, ended, used } = await under("new");
    has.accounts = [active("ca_1")];
    see("the new one counts it", [(await ended("a"))[0], await used("new")], ["succeeded", 1]);
  }),
  scripted("accounts: 1 process, standing approvals of accounts", async (_, see, world) => {
    const store = memoryApprovals();
    const { has, gate, run, ended } = await bank(world, [ask({})], {}, undefined, { store });
    has.accounts = [active("ca_1")];
    const pending = (await run("a"))?.pendingApproval as never;
    await gate.standing.approve(pending, { ...ADA, maxUses: 5, accounts: ["ca_*"], when: { to: { present: true } } });
    has.accounts = [active("ca_2")];
    see("another one", (await ended("b"))[0], "succeeded");
    has.accounts = [active("other")];
    see("one that it isn't for", (await ended("c"))[0], "pending");
    const own = (await run("d"))?.pendingApproval as never;
    await gate.standing.approve(own, { ...ADA, maxUses: 5, when: { to: { present: true } } });
    see("its own", (await ended("e"))[0], "succeeded");
    has.accounts = [active("more")];
    see("not another", (await ended("f"))[0], "pending");
    see("the service ran", has.ran, ["b ca_2", "e other"]);
  }),
  scripted("accounts: 1 process, a period of calls that lack one", async (_, see, world) => {
    const rules = [allow({}), budget({ id: "calls", maxCalls: 3, windowMs: 60_000 })];
    const { has, ended, used } = await bank(world, rules);
    see("the service's choice", [(await ended("a"))[0], await used()], ["succeeded", 1]);
    const error = { message: "No connected account found", status: 404, code: 1810 };
    has.answer = Response.json({ error }, { status: 404 });
    see("it has none", [await ended("b"), await used()], [["not_run", "not_connected", undefined], 2]);
    has.answer = undefined;
    see("it counts again", [(await ended("b"))[0], await used()], ["succeeded", 3]);
    const others = await bank(world, rules, { accounts: { bank: "ca_own" } });
    see("the program's", await others.ended("a"), ["succeeded", undefined, undefined]);
    others.has.answer = Response.json({ error }, { status: 404 });
    see("isn't there", await others.ended("b"), ["not_run", undefined, undefined]);
    see("the service ran", others.has.ran, ["a ca_own"]);
  }),
];
