// Budgets beside rejections, dry runs, labels, lost replies and calls that make others.
import {
  type AuditLine,
  allow,
  ask,
  audit,
  type BudgetStore,
  budget,
  deny,
  dryRun,
  label,
  memoryBudgets,
  policy,
} from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { KEYS } from "./decisions.js";
import { scripted } from "./scripted.js";
import { auditLog, call, done, ended, failure, program, Service } from "./service.js";
import { inner, MULTI, session } from "./sessions.js";
import { asking } from "./together-approvals.js";

const ADA = { approver: "ada" };
const failed = () => Response.json({ data: {}, successful: false, error: "No money.", log_id: "log_1" });

/** A program under budgets, and what each has counted. */
async function counting(
  world: World,
  rules: Parameters<typeof policy>[0],
  options: object = {},
  store = memoryBudgets(),
) {
  const service = new Service(world);
  const guardrails = policy([...rules], { budgets: store });
  const made = await program(service, { policy: guardrails, ...options });
  const status = async (callId: string, args: object = { to: callId }, name = "PAY") =>
    ended(await made.run(callId, args, name));
  const used = async (id: string, more: object = { userId: "user-1" }) =>
    (await guardrails.budgets.read({ id, ...more })).map(({ used }) => used).join();
  return { service, guardrails, status, used, ...made };
}

export const togetherBudgets: readonly Definition[] = [
  scripted("budgets: 1 process, calls that fail, are rejected and run again", async (_, see, world) => {
    const rules = [allow({}), budget({ id: "calls", maxCalls: 4 })];
    const { service, status, used } = await counting(world, rules);
    service.answers.push(
      () => failure(400),
      () => done(),
      failed,
      () => failure(500),
    );
    see("rejected", [await status("a"), await used("calls")], ["not_run", "1"]);
    see("it runs", [await status("a"), await used("calls")], ["succeeded", "2"]);
    see("failed", [await status("b"), await used("calls")], ["failed", "3"]);
    see("unknown", [await status("c"), await used("calls")], ["unknown", "4"]);
    see(
      "again",
      [await status("a"), await status("b"), await status("c")],
      [...["succeeded again", "failed again", "unknown again"]],
    );
    see("used up", [await status("d"), await used("calls")], ["not_run", "4"]);
    see("the service got", service.ran(), ["PAY a", "PAY a", "PAY b", "PAY c"]);
  }),
  scripted("budgets: 1 process, exactly as much as a budget has", async (_, see, world) => {
    const rules = [
      ...[allow({}), budget({ id: "bytes", maxArgumentBytes: 11, tools: ["PAY"] })],
      budget({ id: "cents", maxCost: 5, costs: { "T*": 5, TIP: 1, "L*": 0 }, tools: ["TIP", "LOOK"] }),
    ];
    const { service, status, used } = await counting(world, rules);
    see("a byte too many", [await status("a", { to: "üx" }), await used("bytes")], ["not_run", "0"]);
    see("all of them", [await status("b", { to: "ü" }), await used("bytes")], ["succeeded", "11"]);
    see("none is left", await status("c", { to: "" }), "not_run");
    see("all cents", [await status("d", { to: "d" }, "TIP"), await used("cents")], ["succeeded", "5"]);
    see(
      "a free one",
      [await status("e", { to: "e" }, "LOOK"), await status("f", { to: "f" }, "TIP")],
      [...["succeeded", "not_run"]],
    );
    see("the service ran", service.ran(), ["PAY ü", "TIP d", "LOOK e"]);
  }),
  scripted("budgets: 1 process, calls at the same time that exceed one", async (_, see, world) => {
    const rules = [allow({}), budget({ id: "calls", maxCalls: 2 }), budget({ id: "each", maxCallsPerTool: 2 })];
    const { service, turn, used } = await counting(world, rules);
    const calls = ["a", "b", "a", "c"].map((id) => call(id));
    see("two of them", await turn(calls), ["succeeded", "succeeded", "succeeded again", "not_run"]);
    see("what is counted", [await used("calls"), await used("each", { userId: "user-1", tools: ["PAY"] })], ["2", "2"]);
    see("the service ran", service.ran(), ["PAY a", "PAY b"]);
  }),
  scripted("budgets: 1 process, calls that a label, a rule or a dry run stops", async (_, see, world) => {
    const rules = [
      ...[allow({}), label("read", { tools: ["LOOK"] }), dryRun({ tools: ["TIP"], when: { to: { is: "dry" } } })],
      ...[deny({ tools: ["PAY"], after: ["read"] }), budget({ id: "calls", maxCalls: 3 })],
    ];
    const chat = { conversationId: "chat", isNewConversation: true };
    const { service, status, used, run } = await counting(world, rules, chat);
    see("a dry rule", [await status("a", { to: "dry" }, "TIP"), await used("calls")], ["dry_run", "0"]);
    see("it runs then", await status("a", { to: "wet" }, "TIP"), "succeeded");
    see("a read", await status("b", { to: "b" }, "LOOK"), "succeeded");
    see("denied", [await status("c"), await used("calls")], ["not_run", "2"]);
    const dry = await run("d", { to: "d" }, "TIP", { dryRun: true });
    see("a dry run", [dry.status, await used("calls")], ["dry_run", "2"]);
    see(
      "the last one",
      [await status("e", { to: "e" }, "TIP"), await status("f", { to: "f" }, "TIP")],
      [...["succeeded", "not_run"]],
    );
    see("the service ran", service.ran(), ["TIP wet", "LOOK b", "TIP e"]);
  }),
  scripted("budgets: 1 process, a store that counts and fails", async (_, see, world) => {
    const memory = memoryBudgets();
    let fault: BudgetStore["consume"] | undefined = async (charges) => {
      await memory.consume(charges);
      throw new Error("Its reply is lost.");
    };
    const store: BudgetStore = { read: memory.read, consume: (charges) => (fault ?? memory.consume)(charges) };
    const rules = [allow({}), budget({ id: "calls", maxCalls: 2 })];
    const { service, status, used } = await counting(world, rules, {}, store);
    see("nothing runs", [await status("a"), await used("calls"), service.ran()], ["not_run", "1", []]);
    for (const odd of [-1, 5, 0.5, "0", null, true]) {
      fault = async () => odd as never;
      see(`no index: ${odd}`, await status("a"), "not_run");
    }
    fault = undefined;
    see("it is counted again", [await status("a"), await used("calls")], ["succeeded", "2"]);
    see("used up", [await status("b"), service.ran()], ["not_run", ["PAY a"]]);
  }),
  scripted("budgets: 1 process, budgets with one id and different periods and sharers", async (_, see, world) => {
    const under = (limits: object) =>
      counting(world, [allow({}), budget({ id: "calls", maxCalls: 1, ...limits })], {}, store);
    const store = memoryBudgets();
    const results: string[] = [];
    for (const limits of [
      {},
      { windowMs: 60_000 },
      { windowMs: 61_000 },
      { per: "all" },
      { per: "conversation" },
      {},
    ]) {
      results.push(await (await under(limits)).status("a"));
    }
    see("each counts alone", results, [...Array.from({ length: 5 }, () => "succeeded"), "not_run"]);
    const higher = await under({ maxCalls: 2 });
    see("a higher limit goes on", [await higher.status("b"), await higher.used("calls")], ["succeeded", "2"]);
  }),
  scripted("budgets: 1 process, two limits and one approval in a conversation", async (_, see, world) => {
    const rules = [
      ...[allow({ tools: ["LOOK"] }), ask({ tools: ["PAY"] }), budget({ id: "all", maxCalls: 2 })],
      budget({ id: "pay", maxCalls: 1, tools: ["PAY"], atLimit: "ask" }),
    ];
    const { service, gate, asked, run, used } = await asking(world, rules);
    const first = await asked("a");
    const limits = { approvals: [await gate.approve(first, ADA)] };
    see("within both", (await run("a", undefined, undefined, limits)).status, "succeeded");
    const second = await asked("b");
    see(
      "past one",
      second.budgets.map(({ budget: id, left, requested }) => [id, left, requested]),
      [
        ["all", 1, undefined],
        ["pay", 0, 1],
      ],
    );
    const token = await gate.approve(second, ADA);
    see("another call takes the last one", (await run("c", undefined, "LOOK")).status, "succeeded");
    const late = await run("b", undefined, undefined, { approvals: [token] });
    see(
      "an approval passes no limit that doesn't ask",
      [late.status, late.text.includes("2 calls")],
      ["not_run", true],
    );
    see("nothing is counted", [await used("all"), await used("pay")], [2, 1]);
    see("the service ran", service.ran(), ["PAY a", "LOOK c"]);
  }),
  scripted("budgets: 1 process, calls that make others, approved past a limit", async (_, see) => {
    const { ran, gate, run, guardrails } = await session([
      ...[allow({}), ask({ tools: ["TIP"], reason: "It is kind." })],
      budget({ id: "calls", maxCalls: 2, atLimit: "ask" }),
    ]);
    const calls = [inner("PAY"), inner("PAY", "b"), inner("TIP")];
    const pending = (await run("a", calls))?.pendingApproval;
    see(
      "a person reads both reasons",
      [pending?.reason, pending?.budgets, pending?.inner.map(({ name, reason }) => [name, reason])],
      [
        "It is kind. The budget of 2 calls is used up.",
        [{ budget: "calls", unit: "calls", limit: 2, left: 2, windowMs: null, requested: 3 }],
        [
          ["PAY", null],
          ["PAY", null],
          ["TIP", "It is kind."],
        ],
      ],
    );
    const token = await gate.approve(pending as never, ADA);
    see("fewer calls", (await run("a", calls.slice(0, 2), { approvals: [token] }))?.status, "pending");
    see("all of them", (await run("a", calls, { approvals: [token] }))?.status, "succeeded");
    see("counted", (await guardrails.budgets.read({ id: "calls", userId: "user-1" }))[0]?.used, 3);
    see("the service ran", ran, ["PAY a", "PAY b", "TIP a"]);
  }),
  scripted("budgets: 1 process, the record of calls that make others", async (_, see) => {
    const { lines, to } = auditLog();
    const record = audit({ keys: KEYS.slice(0, 1), to, now: () => 0 });
    const limit = budget({ id: "pay", maxCalls: 1, tools: ["PAY"], name: "one payment" });
    const rules = [allow({ tools: [MULTI, "LOOK", "PAY"] }), deny({ tools: ["TIP"], reason: "No." }), limit];
    const { status, ran } = await session(rules, { audit: record });
    see("one", await status("a", inner("LOOK"), inner("PAY")), "succeeded");
    see("denied", await status("b", inner("LOOK"), inner("TIP")), "not_run");
    see("used up", await status("c", inner("PAY")), "not_run");
    const shown = lines.map((line) => {
      const { type, callId, decisions, status: end } = (JSON.parse(line) as AuditLine).entry;
      return [
        type,
        callId,
        end ?? "",
        ...decisions.map(({ tool, outcome, rule }) => `${tool} ${outcome} ${rule}`),
      ].join();
    });
    const multi = `${MULTI} allow rules[0]`;
    see("all decisions", shown, [
      `started,a,,${multi},LOOK allow rules[0],PAY allow rules[0]`,
      `ended,a,succeeded,${multi},LOOK allow rules[0],PAY allow rules[0]`,
      `ended,b,not_run,${multi},LOOK allow rules[0],TIP deny rules[1]`,
      `ended,c,not_run,${multi},PAY allow rules[0],${MULTI} deny one payment`,
    ]);
    see("the service ran", ran, ["LOOK a", "PAY a"]);
  }),
  scripted("budgets: 1 process, accounts in calls that make others", async (_, see) => {
    const accounts = { list: async function* list() {} };
    const listed = (...ids: string[]) => ({
      tools: {} as never,
      connectedAccounts: {
        ...accounts,
        list: async function* list() {
          for (const id of ids) yield { id };
        } as never,
      } as never,
    });
    const rules = [allow({ tools: [MULTI] }), allow({ tools: ["PAY"], accounts: ["ca_1"] })];
    const withCatalog = await session(rules, { catalog: listed("ca_1", "ca_2") });
    const pay = (account: string) => inner("PAY", "a", { account });
    see("the one", await withCatalog.status("a", pay("ca_1")), "succeeded");
    see("another", await withCatalog.status("b", pay("ca_2")), "not_run");
    see("one of two", await withCatalog.status("c", pay("ca_1"), pay("ca_2")), "not_run");
    see("none", await withCatalog.status("d", inner("PAY")), "not_run");
    const open = await session([allow({})]);
    see("an empty id isn't one", [await open.status("e", pay("")), open.ran], ["succeeded", ["PAY a"]]);
    const [alias, unknown] = [await withCatalog.run("f", [pay("work")]), await withCatalog.run("g", [pay("ca_3")])];
    see("an alias", [alias?.status, alias?.text.includes("an alias could change")], ["not_run", true]);
    see("one that isn't listed", [unknown?.status, unknown?.text.includes("an alias could change")], ["not_run", true]);
    const without = await (await session(rules)).run("h", [pay("ca_1")]);
    see("it can't be looked up", [without?.status, without?.text.includes("can't be looked up")], ["not_run", true]);
    see("the service ran", withCatalog.ran, ["PAY a"]);
  }),
];
