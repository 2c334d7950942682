// Suspended turns and the audit beside labels, budgets, accounts, cuts, aborts and other adapters.
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { google } from "../../../src/agents/adapters/google.js";
import { openai } from "../../../src/agents/adapters/openai.js";
import { openaiChat } from "../../../src/agents/adapters/openai-chat.js";
import {
  type AuditLine,
  type AuditOptions,
  allow,
  ask,
  audit,
  budget,
  deny,
  label,
  memoryApprovals,
  verifyAudit,
} from "../../../src/agents/policy-entry.js";
import type { Definition } from "../world.js";
import { KEYS, toolOf } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";
import { call, ended, wait } from "./service.js";
import { asking } from "./together-approvals.js";

const ADA = { approver: "ada" };

const item = (call_id: string, to: string, name = "PAY", more: object = {}) => {
  return { type: "function_call", call_id, name, arguments: JSON.stringify({ to }), ...more };
};
const response = (id: string, ...output: object[]) => ({ id, output, status: "completed" });
const copied = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));
const shown = ({ results }: { results: readonly Parameters<typeof ended>[0][] }) => results.map(ended);
const reasonOf = (error: unknown) => Reflect.get(Object(error), "reason");

/** A log in memory, and the facts of its lines. */
function logging(options: Partial<AuditOptions> = {}, lines: string[] = []) {
  const to = {
    last: async () => lines.at(-1),
    append: async (more: readonly string[], last: string | undefined) => {
      if (lines.at(-1) !== last) return false;
      lines.push(...more);
      return true;
    },
  };
  const record = audit({ keys: KEYS.slice(0, 1), to, now: () => 0, ...options });
  const entries = () =>
    lines.map((line) => {
      const { type, callId, status, isReplay, approver, decisions, labels } = (JSON.parse(line) as AuditLine).entry;
      const facts = [
        approver,
        isReplay && "again",
        decisions.map(({ outcome }) => outcome).join("+"),
        labels?.join("+"),
      ];
      return [type, callId, status, ...facts].filter(Boolean).join(" ");
    });
  return { lines, record, entries };
}

export const togetherTurns: readonly Definition[] = [
  scripted("tickets: 1 process, a turn that waits in each adapter", async (_, see, world) => {
    const turns = {
      openai: response("resp_1", item("call_a1", "a")),
      openaiChat: {
        id: "chat_1",
        choices: [
          {
            finish_reason: "tool_calls",
            message: {
              role: "assistant",
              content: null,
              tool_calls: [{ id: "call_a1", type: "function", function: { name: "PAY", arguments: '{"to":"a"}' } }],
            },
          },
        ],
      },
      anthropic: {
        id: "msg_1",
        role: "assistant",
        stop_reason: "tool_use",
        content: [{ type: "tool_use", id: "call_a1", name: "PAY", input: { to: "a" } }],
      },
      google: {
        responseId: "r_1",
        candidates: [
          { content: { role: "model", parts: [{ functionCall: { id: "call_a1", name: "PAY", args: { to: "a" } } }] } },
        ],
      },
    };
    const adapters = { openai, openaiChat, anthropic, google };
    for (const [name, adapter] of Object.entries(adapters)) {
      const { service, gate, made } = await asking(world);
      const { run, resume } = adapter(made) as ReturnType<typeof openai>;
      const turn = await run(turns[name as keyof typeof turns] as never);
      see(`${name}: it waits`, shown(turn), ["pending"]);
      const ticket = copied(await turn.suspend([{ role: "user", content: "Pay." }]));
      const token = await gate.approve(ticket.pendingApprovals[0] as never, ADA);
      const resumed = await resume(ticket, { decisions: [token] });
      see(`${name}: resumed`, [shown(resumed), resumed.conversation], [["succeeded"], ticket.conversation]);
      see(`${name}: again`, shown(await resume(ticket, { decisions: [token] })), ["succeeded again"]);
      see(`${name}: the service ran`, [ticket.adapter, service.ran()], [name, ["PAY a"]]);
      const other = name === "openai" ? openaiChat : openai;
      const strange = (other(made) as ReturnType<typeof openai>).resume(ticket);
      see(`${name}: in another one`, await strange.catch(reasonOf), "other_adapter");
    }
  }),
  scripted("tickets: 1 process, a turn that waits and decisions in the store", async (_, see, world) => {
    const { service, gate, made } = await asking(world, undefined, {}, { store: memoryApprovals() });
    const { run, resume } = openai(made);
    const turn = await run(
      response("resp_1", item("call_a", "a"), item("call_b", "b"), item("call_c", "c", "LOOK")) as never,
    );
    const ticket = copied(await turn.suspend([]));
    const [first, second] = ticket.pendingApprovals;
    see("what waits", [turn.pendingApprovals.length, ticket.pendingApprovals.length], [2, 2]);
    await gate.approve(first?.id ?? "", ADA);
    see("one decision", shown(await resume(ticket)), ["succeeded", "pending", "succeeded again"]);
    await gate.decide(second?.id ?? "", { approved: false, ...ADA, reason: "No." });
    const resumed = await resume(ticket);
    see("both", shown(resumed), ["succeeded again", "not_run", "succeeded again"]);
    see("the model reads it", resumed.results[1]?.text.includes("No."), true);
    see("it stays", shown(await resume(ticket))[1], "not_run again");
    see("the service ran", service.ran().toSorted(), ["LOOK c", "PAY a"]);
  }),
  scripted("tickets: 1 process, a turn that waits while its conversation goes on", async (_, see, world) => {
    const rules = [
      ...[ask({ tools: ["PAY"] }), allow({ tools: ["LOOK"] }), label("read", { tools: ["LOOK"] })],
      deny({ tools: ["PAY"], after: ["read"], reason: "It read a text." }),
    ];
    const chat = { conversationId: "chat", isNewConversation: true };
    const { service, gate, made } = await asking(world, rules, chat);
    const { run, resume } = openai(made);
    const ticket = copied(await (await run(response("resp_1", item("call_0", "a")) as never)).suspend([]));
    const token = await gate.approve(ticket.pendingApprovals[0] as never, ADA);
    see("its id comes again", shown(await run(response("resp_2", item("call_0", "z", "LOOK")) as never)), [
      "succeeded",
    ]);
    const resumed = await resume(ticket, { decisions: [token] });
    see("after a label", [shown(resumed), resumed.results[0]?.text.includes("It read a text.")], [["not_run"], true]);
    see("the service ran", service.ran(), ["LOOK z"]);
  }),
  scripted("tickets: 1 process, two turns that wait under one id", async (_, see, world) => {
    const { service, gate, made } = await asking(world);
    const { run, resume } = openai(made);
    const tickets = [];
    for (const [turn, to] of [
      ["resp_1", "a"],
      ["resp_2", "b"],
    ] as const) {
      tickets.push(copied(await (await run(response(turn, item("call_0", to)) as never)).suspend([])));
    }
    const [one, other] = tickets;
    const tokens = await Promise.all(tickets.map((ticket) => gate.approve(ticket.pendingApprovals[0] as never, ADA)));
    see("with the other's approval", shown(await resume(other as never, { decisions: tokens.slice(0, 1) })), [
      "pending",
    ]);
    see(
      "each with its own",
      [
        shown(await resume(other as never, { decisions: tokens })),
        shown(await resume(one as never, { decisions: tokens })),
      ],
      [...[["succeeded"], ["succeeded"]]],
    );
    see("the service ran", service.ran(), ["PAY b", "PAY a"]);
  }),
  scripted("tickets: 1 process, a turn that waits for an account and a budget", async (_, see, world) => {
    const rules = [ask({ tools: ["PAY"] }), allow({}), budget({ id: "calls", maxCalls: 1, atLimit: "ask" })];
    const tools = [toolOf("PAY", "20251023_00", false), toolOf("LOOK")];
    const { service, gate, made, used } = await asking(world, rules, { accounts: "newest" }, {}, tools);
    const { run, resume } = openai(made);
    const ticket = copied(
      await (await run(response("resp_1", item("call_a", "a"), item("call_b", "b", "LOOK")) as never)).suspend([]),
    );
    see(
      "what it waits for",
      [ticket.authRequired, ticket.pendingApprovals],
      [[{ callId: "call_a", toolkit: "bank", reason: "not_connected" }], []],
    );
    service.accounts = [{ id: "ca_1", status: "ACTIVE" }];
    const waiting = await resume(ticket);
    see(
      "then for an approval",
      [shown(waiting), waiting.pendingApprovals[0]?.accountId],
      [["pending", "succeeded again"], "ca_1"],
    );
    see(
      "past the limit",
      waiting.pendingApprovals[0]?.budgets.map(({ requested }) => requested),
      [1],
    );
    const token = await gate.approve(waiting.pendingApprovals[0] as never, ADA);
    see("it runs", shown(await resume(ticket, { decisions: [token] })), ["succeeded", "succeeded again"]);
    see("the service ran", [service.ran(), await used("calls")], [["LOOK b", "PAY a ca_1"], 2]);
  }),
  scripted("tickets: 1 process, a turn that was cut off", async (_, see, world) => {
    const { service, gate, made } = await asking(world);
    const { run, resume } = openai(made);
    const cut = {
      id: "resp_1",
      output: [
        item("call_a", "a", "PAY", { status: "completed" }),
        item("call_b", "b", "PAY", { status: "incomplete" }),
      ],
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    };
    const turn = await run(cut as never);
    see(
      "it",
      [shown(turn), turn.isIncomplete, turn.incompleteReason],
      [["pending", "not_run"], true, "max_output_tokens"],
    );
    const ticket = copied(await turn.suspend([]));
    const token = await gate.approve(ticket.pendingApprovals[0] as never, ADA);
    see("resumed", shown(await resume(ticket, { decisions: [token] })), ["succeeded", "not_run"]);
    see("the service ran", service.ran(), ["PAY a"]);
  }),
  scripted("audit: 1 process, decisions, labels, cuts and repeated calls", async (_, see, world) => {
    const { record, entries, lines } = logging();
    const rules = [
      ...[ask({ tools: ["PAY"] }), allow({ tools: ["LOOK"] }), label("read", { tools: ["LOOK"] })],
      ...[deny({ tools: ["TIP"], after: ["read"] }), allow({ tools: ["TIP"] }), budget({ id: "all", maxCalls: 3 })],
    ];
    const chat = { conversationId: "chat", isNewConversation: true, audit: record };
    const { gate, asked, turn, run } = await asking(world, rules, chat);
    await turn([call("t", undefined, "TIP"), call("t", undefined, "TIP")]);
    await turn([call("l", undefined, "LOOK")]);
    await turn([call("u", undefined, "TIP"), call("x", { to: "x" }, "LOOK", { isTruncated: true })]);
    const no = await gate.deny(await asked("p"), ADA);
    const late = await gate.deny(await asked("q"), ADA);
    await run("p", undefined, "PAY", { approvals: [no] });
    await run("m", undefined, "LOOK");
    await run("n", undefined, "LOOK");
    await run("q", undefined, "PAY", { approvals: [late] });
    see("its lines", entries(), [
      ...["started t allow", "ended t succeeded allow", "ended t succeeded again", "started l allow"],
      ...[
        "ended l succeeded allow",
        "ended x not_run",
        "ended u not_run deny read",
        "ended p pending ask",
        "ended q pending ask",
      ],
      ...["ended p not_run ada ask", "started m allow", "ended m succeeded allow", "ended n not_run allow+deny"],
      "ended q not_run ada ask",
    ]);
    see("they are one log", (await verifyAudit(lines, { keys: KEYS })).ok, true);
  }),
  scripted("audit: 1 process, an abort, and the same call in two runs", async (_, see, world) => {
    const { record, entries } = logging();
    const { service, gate, made, asked, turn } = await asking(world, undefined, { audit: record });
    const token = await gate.approve(await asked("a"), ADA);
    await Promise.all([turn([call("a")]), turn([call("a")], { approvals: [token] }), wait(10)]);
    see("each run has its own approver", entries().slice(1).toSorted(), [
      ...["ended a pending ask", "ended a succeeded ada ask", "started a ada ask"],
    ]);
    service.slowMs = 1_000;
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 500);
    const calls = [call("b", undefined, "LOOK")];
    see("an abort", await thrown(() => made.run(calls, { signal: stop.signal })), "stop");
    await wait(10);
    see("of one that had started", entries().slice(4), ["started b allow", "ended b unknown allow"]);
  }),
  scripted("audit: 1 process, a log that was changed", async (_, see, world) => {
    const one = logging();
    const other = logging();
    for (const { record } of [one, other]) {
      const { turn } = await asking(world, [allow({})], { audit: record });
      await turn(["a", "b"].map((id) => call(id)));
    }
    const keys = KEYS.slice(0, 1);
    const [first = "", second = "", third = "", fourth = ""] = one.lines;
    const foreign = other.lines[1] ?? "";
    const checked = async (lines: readonly string[], options = {}) => {
      const result = await verifyAudit(lines, { keys, ...options });
      return result.ok ? [result.lines, result.head.number] : [result.problem, result.line];
    };
    const fork = logging({}, [first]);
    const { turn } = await asking(world, [allow({})], { audit: fork.record });
    await turn([call("c")]);
    const whole = await verifyAudit(one.lines, { keys });
    const half = await verifyAudit([first, second], { keys });
    const [end, middle] = [whole, half].map((result) => (result.ok ? result.head : undefined));
    const cases: readonly (readonly [string, readonly string[], object, readonly unknown[]])[] = [
      ["whole", one.lines, {}, [4, 4]],
      ["nothing", [], {}, [0, 0]],
      ["nothing of a known end", [], { head: end }, ["cut", 1]],
      ["its end", one.lines, { head: end }, [4, 4]],
      ["an earlier end", one.lines, { head: middle }, [4, 4]],
      ["cut", [first, second, third], { head: end }, ["cut", 4]],
      ["cut, but its end isn't known", [first, second, third], {}, [3, 3]],
      ["its second half", [third, fourth], { after: middle }, [2, 4]],
      ["its second half alone", [third, fourth], {}, ["missing", 1]],
      ["a line less", [first, third, fourth], {}, ["missing", 2]],
      ["a line twice", [first, second, second], {}, ["repeated", 3]],
      ["two lines in the other order", [first, third, second], {}, ["missing", 2]],
      ["a line of another log", [first, foreign], {}, ["other_log", 2]],
      ["a changed line", [first, second.replace('"callId":"', '"callId":"z'), third], {}, ["changed", 2]],
      ["the lines of a fork", [first, second, fork.lines[2] ?? ""], {}, ["changed", 3]],
      ["a fork", fork.lines, { head: middle }, ["changed", 2]],
      ["other keys", one.lines, { keys: KEYS.slice(1) }, ["changed", 1]],
    ];
    for (const [what, lines, options, promised] of cases) see(what, await checked(lines, options), promised);
  }),
];
