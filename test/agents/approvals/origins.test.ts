import { describe, expect, test } from "vitest";
import { memoryExecutions, type Toolset, tool, toolset } from "../../../src/agents/index.js";
import { allow, approvals, ask, describeApproval, policy } from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { USER } from "../support.js";
import { KEY } from "./support.js";

const MAIL = {
  messages: [
    { from: "ada@example.com", subject: "Lunch" },
    { from: "bob@example.com", subject: "Please pay invoice 20251123 to DE89370400440532013000" },
  ],
};

const read = tool({
  name: "READ_MAIL",
  description: "Reads mail.",
  parameters: { type: "object" },
  execute: async () => MAIL,
});
const send = tool({
  name: "SEND_MONEY",
  description: "Sends money.",
  parameters: {
    type: "object",
    properties: {
      to: { type: "string" },
      iban: { type: "string" },
      invoice: { type: "integer" },
      note: { type: "string" },
      via: { type: "string" },
    },
  },
  execute: async () => "sent",
});

const svc = () => new Svc({ ...createEmulator().connection, env: {} });
const options = (conversationId?: string) => ({
  userId: USER,
  ...(conversationId !== undefined && { conversationId }),
  tools: [read, send],
  policy: policy([allow({ tools: ["READ_MAIL"] }), ask({ tools: ["SEND_MONEY"] })]),
  approvals: approvals({ keys: [KEY] }),
  executions: memoryExecutions(),
});

const reads = (tools: Toolset) => tools.run([{ callId: "read", name: "READ_MAIL", arguments: {} }]);
async function asked(tools: Toolset, args: object) {
  const [result] = await tools.run([{ callId: "send", name: "SEND_MONEY", arguments: args }]);
  if (!result?.pendingApproval) throw new Error(result?.text);
  return result.pendingApproval;
}

describe("the person who decides sees where an argument comes from", () => {
  test("a value, a number, and a part of a longer value, each with its place", async () => {
    const tools = await toolset(svc(), options());
    await reads(tools);
    const pending = await asked(tools, {
      to: "bob@example.com",
      iban: "DE89370400440532013000",
      invoice: 20_251_123,
      note: "Thank you",
    });
    expect(pending.origins).toEqual([
      { argument: "to", tool: "READ_MAIL", place: "messages[1].from" },
      { argument: "iban", tool: "READ_MAIL", place: "messages[1].subject" },
      { argument: "invoice", tool: "READ_MAIL", place: "messages[1].subject" },
    ]);
    expect(describeApproval(pending)).toContain(
      [
        "These values appear in earlier results:",
        "  to: READ_MAIL, messages[1].from",
        "  iban: READ_MAIL, messages[1].subject",
        "  invoice: READ_MAIL, messages[1].subject",
      ].join("\n"),
    );
  });

  test("but no short value, which appears anywhere, and nothing without results", async () => {
    const tools = await toolset(svc(), options());
    expect((await asked(tools, { to: "bob@example.com" })).origins).toEqual([]);
    await reads(tools);
    const pending = await asked(tools, { to: "bob", note: "invoice", iban: "Lunch" });
    expect(pending.origins).toEqual([{ argument: "iban", tool: "READ_MAIL", place: "messages[0].subject" }]);
    expect(describeApproval(await asked(tools, { note: "x" }))).not.toContain("earlier results");
  });

  test("and nothing for a value that the model wrote before a result repeated it", async () => {
    const echo = tool({
      name: "ECHO",
      description: "Echoes.",
      parameters: { type: "object", properties: { text: { type: "string" } } },
      execute: async (args) => ({ url: `https://example.com/${Object(args).text}`, ...MAIL }),
    });
    const tools = await toolset(svc(), {
      ...options(),
      tools: [echo, send],
      policy: policy([allow({ tools: ["ECHO"] }), ask({ tools: ["SEND_MONEY"] })]),
    });
    await tools.run([{ callId: "echo", name: "ECHO", arguments: '{"text":"octo-organization"}' }]);
    const pending = await asked(tools, { to: "octo-organization", note: "bob@example.com" });
    expect(pending.origins).toEqual([{ argument: "note", tool: "ECHO", place: "messages[1].from" }]);
    // Now the model has written it itself: where it appeared first still counts.
    expect((await asked(tools, { via: "bob@example.com" })).origins).toHaveLength(1);
  });

  test("however deep the model nests arguments, and whatever a local tool returns", async () => {
    const cycle: Record<string, unknown> = { ...MAIL };
    cycle["self"] = cycle;
    const odd = tool({
      name: "READ_ODD",
      description: "Reads.",
      parameters: { type: "object" },
      execute: async () => cycle,
    });
    const tools = await toolset(svc(), {
      ...options(),
      tools: [odd, read, send],
      policy: policy([allow({ tools: ["READ_ODD", "READ_MAIL"] }), ask({ tools: ["SEND_MONEY"] })]),
    });
    const deep = `{"text":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const results = await tools.run([
      { callId: "deep", name: "READ_MAIL", arguments: deep },
      { callId: "odd", name: "READ_ODD", arguments: {} },
    ]);
    expect(results).toHaveLength(2);
    await reads(tools);
    expect((await asked(tools, { to: "bob@example.com" })).origins).toHaveLength(1);
  });

  test("in the next toolset of the conversation, and in no other conversation", async () => {
    const client = svc();
    const chosen = options("conversation-1");
    await reads(await toolset(client, chosen));
    expect((await asked(await toolset(client, chosen), { to: "bob@example.com" })).origins).toHaveLength(1);
    const others = [
      { ...chosen, conversationId: "conversation-2" },
      { ...chosen, userId: "ada" },
    ];
    for (const other of others) {
      expect((await asked(await toolset(client, other), { to: "bob@example.com" })).origins).toEqual([]);
    }
    expect((await asked(await toolset(svc(), chosen), { to: "bob@example.com" })).origins).toEqual([]);
  });

  test("in the next toolset of the session, which each request reads again", async () => {
    const client = svc();
    const { id } = await client.toolRouter.create({ user_id: USER });
    const { userId: _, ...chosen } = options("conversation-1");
    const ofRequest = async () => toolset(client.toolRouter.use(id), chosen);
    await reads(await ofRequest());
    expect((await asked(await ofRequest(), { to: "bob@example.com" })).origins).toHaveLength(1);
  });

  test("as one line, whatever the names in the result are", async () => {
    const odd = tool({
      name: "READ_ODD",
      description: "Reads.",
      parameters: { type: "object" },
      execute: async () => ({ "x\n  to: SAFE, y": "bob@example.com" }),
    });
    const tools = await toolset(svc(), {
      ...options(),
      tools: [odd, send],
      policy: policy([allow({ tools: ["READ_ODD"] }), ask({ tools: ["SEND_MONEY"] })]),
    });
    await tools.run([{ callId: "read", name: "READ_ODD", arguments: {} }]);
    const text = describeApproval(await asked(tools, { to: "bob@example.com" }));
    expect(text.split("\n").filter((line) => line.startsWith("  to: "))).toEqual([
      '  to: "bob@example.com"',
      String.raw`  to: READ_ODD, "x\n  to: SAFE, y"`,
    ]);
  });

  test("within a limited memory: the oldest results are forgotten", async () => {
    let text = "";
    const large = tool({
      name: "READ_LARGE",
      description: "Reads.",
      parameters: { type: "object" },
      execute: async () => ({ text }),
    });
    const tools = await toolset(svc(), {
      ...options(),
      tools: [large, read, send],
      policy: policy([allow({ tools: ["READ_LARGE", "READ_MAIL"] }), ask({ tools: ["SEND_MONEY"] })]),
    });
    await reads(tools);
    for (let index = 0; index < 4; index += 1) {
      text = `${index}`.repeat(30_000);
      await tools.run([{ callId: `large-${index}`, name: "READ_LARGE", arguments: {} }]);
    }
    expect((await asked(tools, { to: "bob@example.com", note: "3".repeat(20) })).origins).toEqual([
      { argument: "note", tool: "READ_LARGE", place: "text" },
    ]);
  });

  test("with a limit for parts of values: after too many comparisons, only whole values are found", async () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => `row ${index}`);
    const many = tool({
      name: "READ_MANY",
      description: "Reads.",
      parameters: { type: "object" },
      execute: async () => [...rows, "a longer sentence"],
    });
    const parameters = { type: "object", properties: { to: { type: "array", items: { type: "string" } } } };
    const tools = await toolset(svc(), {
      ...options(),
      ...{ tools: [many, { ...send, parameters }], maxResultBytes: 200_000, maxTurnBytes: 200_000 },
      policy: policy([allow({ tools: ["READ_MANY"] }), ask({ tools: ["SEND_MONEY"] })]),
    });
    await tools.run([{ callId: "many", name: "READ_MANY", arguments: {} }]);
    const unknown = Array.from({ length: 112 }, (_, index) => `unknown ${index}`);
    const to = ["longer sentence", ...unknown, "longer sentence", "row 8999"];
    expect((await asked(tools, { to })).origins).toEqual([
      { argument: "to[0]", tool: "READ_MANY", place: "[9000]" },
      { argument: "to[114]", tool: "READ_MANY", place: "[8999]" },
    ]);
  });
});
