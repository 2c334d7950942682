import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import {
  type ClientToolsetOptions,
  memoryExecutions,
  TicketRejectedError,
  type TurnTicket,
  tool,
  toolset,
} from "../../../src/agents/index.js";
import {
  allow,
  approvals,
  ask,
  customPolicy,
  deny,
  describeApproval,
  memoryApprovals,
  policy,
} from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { rejection, rejectionOf } from "../../support/client.js";
import { sampled } from "../../support/size.js";
import { PROMPT } from "../adapter-under-test.js";
import { askForIssues, asksForIssues, KEY } from "../approvals/support.js";
import { TURN_ADAPTERS } from "../every-adapter.js";
import { COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "../support.js";
import { startModel } from "./model-server.js";

const model = await startModel();
const client = new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "test", maxRetries: 0 });
const PROVIDERS = Object.entries(TURN_ADAPTERS).map(([adapter, { program }]) => ({ adapter, ...program(model.url) }));
const OPENAI = TURN_ADAPTERS.openai.program(model.url);

/** The processes of one program: they share a store and a service, and nothing else. */
function program(options: Partial<ClientToolsetOptions> = {}) {
  const emulator = createEmulator();
  const executions = memoryExecutions();
  /** The toolset of a new process. */
  const start = (changed: Partial<ClientToolsetOptions> = {}) =>
    toolset(new Svc({ ...emulator.connection, env: {} }), {
      userId: USER,
      conversationId: "conversation-1",
      tools: [CREATE_ISSUE, COUNT_WORDS],
      policy: asksForIssues,
      executions,
      approvals: approvals({ keys: [KEY] }),
      ...options,
      ...changed,
    });
  const effects = () => emulator.requests.filter(({ path }) => path.includes("/tools/execute/")).length;
  /** Decides on the calls of a ticket, as a page does: with a key, and without the toolset. */
  const decide = (ticket: TurnTicket, decision: "approve" | "deny" = "approve") => {
    const gate = approvals({ keys: [KEY] });
    return Promise.all(ticket.pendingApprovals.map((pending) => gate[decision](pending, { approver: "ada" })));
  };
  return { start, effects, decide };
}

const opensAnIssue = { id: "call_issue", name: CREATE_ISSUE, arguments: ISSUE };
const countsWords = { id: "call_words", name: COUNT_WORDS, arguments: { text: "one two" } };

/** A ticket of a turn that opens an issue, and counts words. */
async function waiting(options: Partial<ClientToolsetOptions> = {}, provider = OPENAI) {
  const made = program(options);
  model.script({ calls: [opensAnIssue, countsWords] }, { text: "I opened it." }, { text: "I opened it." });
  const { ticket } = await provider.suspend(await made.start());
  return { ...made, ticket, text: JSON.stringify(ticket) };
}

test("a suspended turn finds its decisions in the store of its approvals, without tokens", async () => {
  const gate = approvals({ keys: [KEY], store: memoryApprovals() });
  const { start, effects, ticket, text } = await waiting({ approvals: gate });
  for (const { id } of ticket.pendingApprovals) await gate.approve(id, { approver: "ada" });
  const { turn } = await OPENAI.resume(await start(), text, {});
  expect(turn.results.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  expect(effects()).toBe(2);
});

const reasonOf = async (promise: Promise<unknown>) => (await rejectionOf(TicketRejectedError, promise)).reason;

describe.each(PROVIDERS)("a turn of $adapter that waits for a person", (provider) => {
  test.each(
    sampled(
      [
        ["streamed", true],
        ["whole", false],
      ] as const,
      2,
    ),
  )("goes on in another process, %s: each call runs once", async (_, stream) => {
    const { start, effects, decide } = program();
    model.script({ text: "Two things.", calls: [opensAnIssue, countsWords] }, { text: "I opened it." });
    const { results, ticket } = await provider.suspend(await start(), stream);
    expect(results.map(({ status }) => status)).toEqual(["pending", "succeeded"]);
    expect(effects()).toBe(1);
    const stored = JSON.stringify(ticket);
    // A database may change the order of its keys.
    const read: TurnTicket = JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(ticket).reverse())));
    expect(read.pendingApprovals.map(describeApproval)).toEqual([expect.stringContaining('title: "From a model"')]);
    const decisions = await decide(read);
    const { turn, goOn } = await provider.resume(await start(), JSON.stringify(read), { decisions });
    expect(turn.results.map(({ status, isReplay }) => [status, isReplay])).toEqual([
      ["succeeded", false],
      ["succeeded", true],
    ]);
    expect(turn.pendingApprovals).toEqual([]);
    expect(await goOn()).toBe("I opened it.");
    expect(model.requests[1]?.outputs.map(({ text }) => JSON.parse(text))).toMatchObject([
      { title: ISSUE.title },
      { words: 2 },
    ]);
    expect(effects()).toBe(2);

    // A second click.
    const again = await provider.resume(await start(), stored, { decisions });
    expect(again.turn.results.map(({ text }) => text)).toEqual(turn.results.map(({ text }) => text));
    expect(again.turn.results.every(({ isReplay }) => isReplay)).toBe(true);
    expect(effects()).toBe(2);
  });

  test("runs calls without ids, or with ids of earlier turns, under the ids they were asked under", async () => {
    const { start, effects, decide } = program();
    const calls = ["", "call_0"].map((id) => [{ ...opensAnIssue, id, arguments: { ...ISSUE, title: `With ${id}` } }]);
    for (const [call] of [...calls, ...calls]) {
      if (!call) continue;
      model.script({ calls: [call, { ...countsWords, id: call.id }] }, { text: "done" });
      const { ticket } = await provider.suspend(await start());
      const decisions = await decide(ticket);
      const before = effects();
      const { turn, goOn } = await provider.resume(await start(), JSON.stringify(ticket), { decisions });
      expect(turn.results.map(({ status, isReplay }) => [status, isReplay])).toEqual([
        ["succeeded", false],
        ["succeeded", true],
      ]);
      expect(effects()).toBe(before + 1);
      expect(await goOn()).toBe("done");
    }
  });

  test("stays denied if a later resume has an approval", async () => {
    const { start, effects, decide, ticket, text } = await waiting({}, provider);
    const denied = await provider.resume(await start(), text, { decisions: await decide(ticket, "deny") });
    expect(denied.turn.results.map(({ status }) => status)).toEqual(["not_run", "succeeded"]);
    expect(await denied.goOn()).toBe("I opened it.");
    const approved = await provider.resume(await start(), text, { decisions: await decide(ticket) });
    expect(approved.turn.results.map(({ status }) => status)).toEqual(["not_run", "succeeded"]);
    expect(approved.turn.results[0]?.text).toBe(denied.turn.results[0]?.text);
    expect(effects()).toBe(1);
  });

  test("waits on without a decision, and can be suspended again", async () => {
    const { start, effects, decide, ticket, text } = await waiting({}, provider);
    const { turn } = await provider.resume(await start(), text);
    expect(turn.pendingApprovals).toEqual(ticket.pendingApprovals);
    const again = await turn.suspend(ticket.conversation);
    expect(again).toEqual(ticket);
    const { goOn } = await provider.resume(await start(), JSON.stringify(again), { decisions: await decide(again) });
    expect(await goOn()).toBe("I opened it.");
    expect(effects()).toBe(2);
  });

  test("is rejected by the other adapters", async () => {
    const { start, decide, ticket, text } = await waiting({}, provider);
    const decisions = await decide(ticket);
    for (const other of PROVIDERS.filter((one) => one !== provider)) {
      const error = await rejectionOf(TicketRejectedError, other.resume(await start(), text, { decisions }));
      expect(error.message).toBe(
        `${other.adapter}: resume: the ticket was rejected: it belongs to another adapter. Pass it to resume() of ${provider.adapter}().`,
      );
    }
  });
});

describe("a ticket", () => {
  test("approves nothing by itself, even if a token of its question is in it", async () => {
    const { start, effects, ticket, text } = await waiting();
    const [pending] = ticket.pendingApprovals;
    const { token } = await approvals({ keys: [KEY] }).request(pending as never, { approver: "ada" });
    const { turn } = await OPENAI.resume(await start(), text, { decisions: [token] });
    expect(turn.results[0]).toMatchObject({ status: "pending", error: { reason: "not_approved" } });
    expect(effects()).toBe(1);
  });

  test("is rejected if any of its fields was changed or removed", async () => {
    const { start, effects, decide, ticket, text } = await waiting();
    const decisions = await decide(ticket);
    for (const name of Object.keys(ticket)) {
      const { [name]: value, ...cut }: Record<string, unknown> = JSON.parse(text);
      const other = Array.isArray(value) ? [...value, {}] : typeof value === "object" ? {} : `${value}x`;
      for (const edited of [cut, { ...cut, [name]: other }]) {
        const reason = await reasonOf(OPENAI.resume(await start(), JSON.stringify(edited), { decisions }));
        expect(["malformed", "changed"]).toContain(reason);
      }
    }
    const larger = await reasonOf(OPENAI.resume(await start(), JSON.stringify({ ...ticket, more: 1 }), { decisions }));
    expect(larger).toBe("changed");
    const newer = JSON.stringify({ ...ticket, formatVersion: 2 });
    expect(await reasonOf(OPENAI.resume(await start(), newer, { decisions }))).toBe("unsupported_version");
    for (const none of ["null", "[]", "{}", JSON.stringify(text)]) {
      expect(await reasonOf(OPENAI.resume(await start(), none, { decisions }))).toBe("malformed");
    }
    expect(effects()).toBe(1);
  });

  test("is rejected if it was edited and has the digest of what it became", async () => {
    const { start, effects, decide, ticket } = await waiting();
    const { digestOf } = await import("../../../src/shared/canonical-json.js");
    const { digest: _, ...facts } = JSON.parse(JSON.stringify(ticket).replace("one two", "three")) as TurnTicket;
    const forged = JSON.stringify({ ...facts, digest: await digestOf(facts) });
    const resuming = OPENAI.resume(await start(), forged, { decisions: await decide(ticket) });
    expect(await reasonOf(resuming)).toBe("not_found");
    expect(effects()).toBe(1);
  });

  test("is rejected by a toolset whose store of executions doesn't know it", async () => {
    const { start, effects, decide, ticket, text } = await waiting();
    const forgetful = await start({ executions: memoryExecutions() });
    const error = await rejectionOf(
      TicketRejectedError,
      OPENAI.resume(forgetful, text, { decisions: await decide(ticket) }),
    );
    expect(error).toMatchObject({
      reason: "not_found",
      message: expect.stringContaining("Share one store between the processes"),
    });
    expect(effects()).toBe(1);
  });

  test.each<[string, Partial<ClientToolsetOptions>]>([
    ["other_user", { userId: "user-4712" }],
    ["other_conversation", { conversationId: "conversation-2" }],
    ["other_conversation", { conversationId: undefined }],
    ["other_policy", { policy: customPolicy({ ...askForIssues, digest: "2" }) }],
    ["other_policy", { policy: customPolicy({ digest: "3", decide: () => ({ outcome: "allow" }) }) }],
  ])("is rejected as %s, and nothing runs: %o", async (reason, changed) => {
    const { start, effects, decide, ticket, text } = await waiting();
    expect(await reasonOf(OPENAI.resume(await start(changed), text, { decisions: await decide(ticket) }))).toBe(reason);
    expect(effects()).toBe(1);
  });

  test("is JSON, whatever of the conversation isn't well-formed", async () => {
    const { start } = program();
    model.script({ calls: [opensAnIssue] });
    const { definitions, run } = openai(await start());
    const input = [{ role: "user" as const, content: "Do it. \ud83d", extra: undefined }];
    const turn = await run(await client.responses.create({ model: "m", input: "Do it.", tools: definitions }));
    const ticket = await turn.suspend(input);
    expect(ticket.conversation).toEqual([{ role: "user", content: "Do it. �" }]);
    expect(String(await rejection(turn.suspend([1n])))).toContain("openai: suspend: the conversation isn't JSON.");
    expect(String(await rejection(turn.suspend("Do it." as never)))).toContain("pass the conversation before the turn");
  });
});

describe("a definition that has changed since", () => {
  const email = (description: string, properties: object = { to: { type: "string" } }) =>
    tool({
      name: "send_email",
      description,
      parameters: { type: "object", properties, required: ["to"] },
      execute: () => "sent",
    });
  const notes = (description: string) =>
    tool({ name: "list_notes", description, parameters: { type: "object" }, execute: () => [] });
  const rules = policy([allow({ tools: ["list_notes"] }), ask({ tools: ["send_email"] })], { allowUnknownNames: true });

  async function waitingForEmail() {
    const made = program({ policy: rules });
    model.script({ calls: [{ name: "send_email", arguments: { to: "ada@example.com" } }] });
    const first = await made.start({ tools: [email("Sends an email."), notes("Lists notes.")] });
    const { ticket } = await OPENAI.suspend(first);
    return { ...made, ticket, text: JSON.stringify(ticket), decisions: await made.decide(ticket) };
  }

  test.each([
    ["its description", email("Sends an email to everyone.")],
    ["its schema", email("Sends an email.", { to: { type: "string" }, bcc: { type: "string" } })],
  ])("rejects the ticket of a call of its tool, and askAgain asks a person again: %s", async (_, changed) => {
    const { start, text, decisions } = await waitingForEmail();
    const tools = await start({ tools: [changed, notes("Lists notes.")] });
    const error = await rejectionOf(TicketRejectedError, OPENAI.resume(tools, text, { decisions }));
    expect(error.reason).toBe("other_definitions");
    expect(error.message).toContain("Tools: send_email.");
    const { turn } = await OPENAI.resume(tools, text, { decisions, askAgain: true });
    expect(turn).toMatchObject({
      changedDefinitions: ["send_email"],
      results: [{ status: "pending", error: undefined }],
    });
  });

  test("rejects it if the tool is gone. With askAgain, the model reads that nothing ran", async () => {
    const { start, text, decisions } = await waitingForEmail();
    const tools = await start({ tools: [notes("Lists notes.")] });
    expect(await reasonOf(OPENAI.resume(tools, text, { decisions }))).toBe("other_definitions");
    const { turn } = await OPENAI.resume(tools, text, { decisions, askAgain: true });
    expect(turn.results).toMatchObject([{ status: "not_run", text: expect.stringContaining("list_notes") }]);
  });

  test("is told if the turn doesn't call its tool, and the calls run", async () => {
    const { start, text, decisions } = await waitingForEmail();
    const tools = await start({ tools: [email("Sends an email."), notes("Lists all notes.")] });
    const { turn } = await OPENAI.resume(tools, text, { decisions });
    expect(turn).toMatchObject({ changedDefinitions: ["list_notes"], results: [{ status: "succeeded" }] });
  });

  test("is the reason to ask again, as another policy is, which may deny the call", async () => {
    const { start, ticket, text, decisions, decide } = await waitingForEmail();
    const tools = [email("Sends an email."), notes("Lists notes.")];
    const stricter = policy([ask({ tools: ["send_email"], name: "emails" }), allow({ tools: ["list_notes"] })]);
    const options = { decisions, askAgain: true };
    const { turn } = await OPENAI.resume(await start({ tools, policy: stricter }), text, options);
    expect(turn.results).toMatchObject([{ status: "pending" }]);
    const again = await turn.suspend(ticket.conversation);
    const denying = await start({ tools, policy: policy([deny({ tools: ["send_email"] }), allow({})]) });
    const denied = await OPENAI.resume(denying, JSON.stringify(again), options);
    expect(denied.turn.results).toMatchObject([{ status: "not_run" }]);
    const approved = await OPENAI.resume(await start({ tools, policy: stricter }), JSON.stringify(again), {
      decisions: await decide(again),
    });
    expect(approved.turn.results).toMatchObject([{ status: "succeeded" }]);
  });
});

test("what a program answered before isn't asked again", async () => {
  const { start, decide } = program();
  const asked: string[] = [];
  const answer = (item: { type: string; call_id?: string }) => {
    asked.push(item.type);
    return { type: "shell_call_output", call_id: item.call_id, output: [] };
  };
  const output = [
    { type: "shell_call", id: "sh_1", call_id: "call_shell", action: { commands: ["ls"] }, status: "completed" },
    { type: "function_call", id: "fc_1", call_id: "call_1", name: CREATE_ISSUE, arguments: JSON.stringify(ISSUE) },
  ];
  const turn = await openai(await start()).run({ id: "resp_shell", output }, { answer });
  const ticket = JSON.parse(JSON.stringify(await turn.suspend([])));
  const resumed = await openai(await start()).resume<object>(ticket, { decisions: await decide(ticket) });
  expect(asked).toEqual(["shell_call"]);
  expect(resumed.outputs).toMatchObject([{ call_id: "call_1" }, { type: "shell_call_output", call_id: "call_shell" }]);
  expect(resumed.items.filter((item) => "type" in item && item.type === "shell_call_output")).toHaveLength(1);
});

test("outputs for a response that the service keeps have the ids that it gave", async () => {
  const { start, decide } = program();
  const ask = async (id: string) => {
    const item = { type: "function_call", call_id: "call_0", name: CREATE_ISSUE, arguments: JSON.stringify(ISSUE) };
    const turn = await openai(await start()).run({ id, output: [item] });
    return JSON.parse(JSON.stringify(await turn.suspend([])));
  };
  for (const ticket of [await ask("resp_a"), await ask("resp_b")]) {
    const { items, outputs } = await openai(await start()).resume<object>(ticket, { decisions: await decide(ticket) });
    expect(outputs).toMatchObject([{ call_id: "call_0", output: expect.stringContaining("number") }]);
    expect(items[1]).toMatchObject({ call_id: Reflect.get(items[0] ?? {}, "call_id") });
  }
});

test("a model keeps the tools that it found before its turn was suspended", async () => {
  const { start, decide } = program();
  const calls = [
    { id: "call_find", name: "find_tools", arguments: { query: "count words" } },
    { ...opensAnIssue, id: "call_open" },
  ];
  model.script({ calls }, { text: "done" });
  const messages = [{ role: "user" as const, content: PROMPT }];
  const defer = ({ name }: { name: string }) => name === COUNT_WORDS;
  const { definitions, run } = openaiChat(await start(), { defer });
  const turn = await run(await client.chat.completions.create({ model: "m", messages, tools: definitions }));
  const ticket = JSON.parse(JSON.stringify(await turn.suspend(messages)));
  const other = openaiChat(await start(), { defer });
  const names = () => other.definitions.map(({ function: { name } }) => name).sort();
  expect(names()).toEqual([CREATE_ISSUE, "find_tools"].sort());
  await other.resume(ticket, { decisions: await decide(ticket) });
  expect(names()).toEqual([CREATE_ISSUE, COUNT_WORDS, "find_tools"].sort());
});
