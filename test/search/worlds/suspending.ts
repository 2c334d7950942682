// Turns of one program that wait for a person: their tickets, and who may resume them.
import { openai } from "../../../src/agents/adapters/openai.js";
import { openaiChat } from "../../../src/agents/adapters/openai-chat.js";
import { memoryExecutions, type TurnTicket } from "../../../src/agents/index.js";
import { allow, ask, policy } from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { Desk, toolOf } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";

const ADA = { approver: "ada" };
type Options = Parameters<Desk["toolset"]>[1];
type Ticket = TurnTicket<object>;

const item = (call_id: string, name: string, to: string) => {
  return { type: "function_call", call_id, name, arguments: JSON.stringify({ to }) };
};

/** A turn with a payment that waits and a look that has run, and its ticket. */
async function suspended(world: World, options: Options = {}) {
  const desk = new Desk(world);
  const gate = desk.tokens();
  const opened = async (
    more: Options = {},
    tools = [toolOf("PAY"), toolOf("TIP"), toolOf("LOOK")],
    store = desk.executions,
  ) => openai((await desk.toolset(gate, { executions: store, ...options, ...more }, tools)).made);
  const { run, resume } = await opened();
  const turn = await run({ id: "resp_1", output: [item("call_a", "PAY", "a"), item("call_b", "LOOK", "b")] });
  const given = await turn.suspend([{ role: "user", content: "Pay." }]);
  const ticket: Ticket = JSON.parse(JSON.stringify(given));
  const token = await gate.approve(ticket.pendingApprovals[0] as never, ADA);
  return { desk, gate, turn, ticket, token, resume, opened };
}

/** The reason why a ticket is rejected; how its calls end if it isn't. */
async function reasonOf(resuming: Promise<{ results: readonly { status: string }[] }>): Promise<unknown> {
  try {
    return (await resuming).results.map(({ status }) => status);
  } catch (error) {
    return Reflect.get(Object(error), "reason") ?? String(error);
  }
}

export const suspending: readonly Definition[] = [
  scripted("tickets: 1 process, a turn that waits", async (_, see, world) => {
    const { desk, turn, ticket, token, resume } = await suspended(world);
    see("its calls", ticket.calls, [
      { callId: "call_a", tool: "PAY", status: "pending" },
      { callId: "call_b", tool: "LOOK", status: "succeeded" },
    ]);
    const { adapter, userId, sessionId, conversationId, conversation, authRequired } = ticket;
    see("whose it is", [adapter, userId, sessionId, conversationId], ["openai", "user-1", null, null]);
    see("what waits", [ticket.pendingApprovals.length, turn.pendingApprovals.length, authRequired], [1, 1, []]);
    see("the conversation", conversation, [{ role: "user", content: "Pay." }]);
    see("definitions", Object.keys(ticket.definitions).toSorted(), ["LOOK", "PAY", "TIP"]);
    see("without a decision", await reasonOf(resume(ticket)), ["pending", "succeeded"]);
    see("nothing paid", desk.ran, ["LOOK b"]);
    const resumed = await resume(ticket, { decisions: [token] });
    see(
      "resumed",
      resumed.results.map(({ status, isReplay }) => `${status} ${isReplay}`),
      ["succeeded false", "succeeded true"],
    );
    see("its conversation", [resumed.conversation, resumed.changedDefinitions], [conversation, []]);
    see("again", await reasonOf(resume(ticket, { decisions: [token] })), ["succeeded", "succeeded"]);
    see("the service ran", desk.ran, ["LOOK b", "PAY a"]);
  }),
  scripted("tickets: 1 process, tickets of others", async (_, see, world) => {
    const { desk, gate, ticket, token, resume, opened } = await suspended(world);
    const rules = policy([ask({ tools: ["PAY", "TIP"] }), allow({ tools: ["LOOK"] })]);
    const others: readonly (readonly [Options, string])[] = [
      [{ userId: "user-2" }, "other_user"],
      [{ conversationId: "chat" }, "other_conversation"],
      [{ policy: rules }, "other_policy"],
      [{ executions: memoryExecutions() }, "not_found"],
    ];
    for (const [other, reason] of others) {
      see(reason, await reasonOf((await opened(other)).resume(ticket, { decisions: [token] })), reason);
    }
    const chat = openaiChat((await desk.toolset(gate)).made);
    see("of another adapter", await reasonOf(chat.resume(ticket as never)), "other_adapter");
    const odd: readonly (readonly [unknown, string])[] = [
      [undefined, "malformed"],
      [{ ...ticket, formatVersion: 2 }, "unsupported_version"],
      [{ ...ticket, formatVersion: "1" }, "malformed"],
      [{ ...ticket, response: undefined }, "malformed"],
      [{ ...ticket, definitions: "all" }, "malformed"],
      [{ ...ticket, digest: 5 }, "malformed"],
      [{ ...ticket, calls: {} }, "malformed"],
      [{ ...ticket, userId: 5 }, "malformed"],
      [{ ...ticket, sessionId: undefined }, "malformed"],
      [{ ...ticket, pendingApprovals: {} }, "malformed"],
      [{ ...ticket, pendingApprovals: [5] }, "malformed"],
      [{ ...ticket, userId: "user-2" }, "changed"],
      [{ ...ticket, digest: `${ticket.digest.slice(1)}0` }, "changed"],
    ];
    for (const [given, reason] of odd)
      see(JSON.stringify(given)?.slice(0, 99) ?? "", await reasonOf(resume(given as Ticket)), reason);
    see("its own", await reasonOf(resume(ticket, { decisions: [token] })), ["succeeded", "succeeded"]);
    see("the service ran", desk.ran, ["LOOK b", "PAY a"]);
  }),
  scripted("tickets: 1 process, tools that a model finds", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.tokens();
    const opened = async (...changed: string[]) => {
      const tools = ["PAY", "TIP", "LOOK"].map((slug) =>
        changed.includes(slug) ? { ...toolOf(slug), description: "Something else." } : toolOf(slug),
      );
      return openai((await desk.toolset(gate, {}, tools)).made, { defer: ({ name }) => name !== "LOOK" });
    };
    const { run } = await opened();
    const turn = await run({ id: "resp_1", output: [item("call_a", "PAY", "a"), item("call_b", "NONE", "b")] });
    const ticket = await turn.suspend([]);
    see("those that were shown or called", Object.keys(ticket.definitions).toSorted(), ["LOOK", "PAY"]);
    const token = await gate.approve(ticket.pendingApprovals[0] as never, ADA);
    const resumed = async (...changed: string[]) =>
      reasonOf((await opened(...changed)).resume(ticket as never, { decisions: [token] }));
    see("if it has changed", await resumed("PAY"), "other_definitions");
    see("if another one has", await resumed("TIP"), ["succeeded", "not_run"]);
    see("the service ran", desk.ran, ["PAY a"]);
  }),
  scripted("tickets: 1 process, what has changed since", async (_, see, world) => {
    const { desk, ticket, token, opened } = await suspended(world);
    const decided = { decisions: [token] };
    const renamed = (slug: string) => ({ ...toolOf(slug), description: "Something else." });
    const tools = (...changed: string[]) =>
      ["PAY", "TIP", "LOOK"].map((slug) => (changed.includes(slug) ? renamed(slug) : toolOf(slug)));
    const called = await opened({}, tools("PAY"));
    see("a called tool", await reasonOf(called.resume(ticket, decided)), "other_definitions");
    const asked = await called.resume(ticket, { ...decided, askAgain: true });
    see(
      "asked again",
      [asked.results.map(({ status }) => status), asked.changedDefinitions],
      [["pending", "succeeded"], ["PAY"]],
    );
    const rules = policy([ask({ tools: ["PAY", "TIP"] }), allow({ tools: ["LOOK"] })]);
    const stricter = await opened({ policy: rules });
    see("another policy", await reasonOf(stricter.resume(ticket, { ...decided, askAgain: true })), [
      "pending",
      "succeeded",
    ]);
    const without = await opened({ policy: policy([ask({ tools: ["PAY"] }), allow({ tools: ["LOOK"] })]) }, [
      toolOf("PAY"),
      toolOf("LOOK"),
    ]);
    see("another policy without a tool", await reasonOf(without.resume(ticket, decided)), "other_policy");
    const other = await opened({}, tools("TIP"));
    const resumed = await other.resume(ticket, decided);
    see(
      "another tool",
      [resumed.results.map(({ status }) => status), resumed.changedDefinitions],
      [["succeeded", "succeeded"], ["TIP"]],
    );
    see("the service ran", desk.ran, ["LOOK b", "PAY a"]);
  }),
  scripted("tickets: 1 process, an abort and a dry run", async (_, see, world) => {
    const { desk, ticket, token, resume, turn } = await suspended(world, { conversationId: "chat" });
    const stop = new AbortController();
    stop.abort(Object.assign(new Error("stop"), { reason: "stopped" }));
    see("aborted", await reasonOf(resume(ticket, { decisions: [token], signal: stop.signal })), "stopped");
    see("a dry run", await reasonOf(resume(ticket, { decisions: [token], dryRun: true })), ["dry_run", "succeeded"]);
    see("whose it is", ticket.conversationId, "chat");
    const half = "\ud83d";
    const odd = await turn.suspend([{ role: "user", content: half }]);
    see("half a character", await reasonOf(resume(odd, { decisions: [token] })), ["succeeded", "succeeded"]);
    const list = await thrown(() => turn.suspend("all" as never));
    see("no list", list.includes("pass the conversation"), true);
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    see("no JSON", (await thrown(() => turn.suspend([circle]))).includes("isn't JSON"), true);
    see("the service ran", desk.ran, ["LOOK b", "PAY a"]);
  }),
];
