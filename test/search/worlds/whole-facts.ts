// Everything that a program gets of a request, a decision, a budget, a line of the audit and a lost call.
import { memoryExecutions } from "../../../src/agents/index.js";
import {
  type AuditLine,
  allow,
  ask,
  audit,
  budget,
  label,
  memoryBudgets,
  policy,
} from "../../../src/agents/policy-entry.js";
import type { Definition } from "../world.js";
import { Desk, KEYS, toolOf } from "./decisions.js";
import { scripted } from "./scripted.js";
import { auditLog } from "./service.js";

const ADA = { approver: "ada" };

export const wholeFacts: readonly Definition[] = [
  scripted("approvals: 1 process, all that a person reads", async (_, see, world) => {
    const desk = new Desk(world);
    const limit = budget({ id: "calls", maxCalls: 2, windowMs: 60_000 });
    const rules = policy([ask({ tools: ["PAY"], reason: "It costs." }), allow({ tools: ["LOOK"] }), limit]);
    const gate = desk.inbox({ requestExpiresInMs: 5_000 });
    const { asked } = await desk.toolset(gate, { policy: rules, conversationId: "chat" });
    const { id, scope, policyDigest, ...pending } = await asked("a", { to: "a", amount: 1 });
    see("the request", pending, {
      ...{ formatVersion: 1, call: { callId: "a", name: "PAY", arguments: { to: "a", amount: 1 } } },
      ...{ arguments: { to: "a", amount: 1 }, files: [], description: "Moves an amount.", inner: [] },
      ...{ version: "20251023_00", userId: "user-1", accountId: null, account: {}, sessionId: null },
      ...{ conversationId: "chat", expiresAt: 1_005_000, reason: "It costs.", labels: [], origins: [] },
      budgets: [{ budget: "calls", unit: "calls", limit: 2, left: 2, windowMs: 60_000 }],
      previousArguments: null,
    });
    see("its digests", [id.length, policyDigest.length, JSON.parse(scope)], [64, 64, ["user-1", "chat"]]);
    const listed = await gate.get(id);
    const undecided = { approver: null, reason: null, decidedAt: null };
    see("in the list", listed, {
      ...{ pending: { id, scope, policyDigest, ...pending }, requestedAt: 1_000_000, state: "pending", ...undecided },
    });
    desk.now += 10;
    const decided = await gate.decide(id, { approved: false, ...ADA, reason: "No." });
    see("decided", decided, { ...listed, state: "denied", ...ADA, reason: "No.", decidedAt: 1_000_010 });
    const other = await asked("b", { to: "b" });
    const given = await gate.standing.approve(other, { ...ADA, maxUses: 2, expiresInMs: 1_000 });
    const { id: standingId, ...facts } = given;
    see("a standing approval", facts, {
      ...{ ...ADA, maxUses: 2, conversations: "same", request: other, createdAt: 1_000_010, expiresAt: 1_001_010 },
      ...{ uses: 1, revokedBy: null },
    });
    see("its id", standingId.length > 0, true);
    see("its request", (await gate.get(other.id))?.state, "approved");
    see("its reason", (await gate.get(other.id))?.reason, null);
  }),
  scripted("budgets: 1 process, all that is read of them", async (_, see, world) => {
    const desk = new Desk(world);
    const limits = { maxCalls: 5, maxCallsPerTool: 3, maxArgumentBytes: 100, maxCost: 9, costs: { "*": 2 } };
    const rules = policy([allow({}), budget({ id: "all", ...limits, windowMs: 60_000 })], { budgets: memoryBudgets() });
    const { run } = await desk.toolset(desk.tokens(), { policy: rules });
    await run("a");
    const windowMs = 60_000;
    const uses = await rules.budgets.read({ id: "all", userId: "user-1", tools: ["PAY", "TIP"] });
    see("each limit", uses, [
      { unit: "calls", tool: undefined, limit: 5, used: 1, left: 4, windowMs },
      { unit: "calls of a tool", tool: "PAY", limit: 3, used: 1, left: 2, windowMs },
      { unit: "calls of a tool", tool: "TIP", limit: 3, used: 0, left: 3, windowMs },
      { unit: "bytes", tool: undefined, limit: 100, used: 10, left: 90, windowMs },
      { unit: "cost", tool: undefined, limit: 9, used: 2, left: 7, windowMs },
    ]);
  }),
  scripted("audit: 1 process, all that a line says", async (_, see, world) => {
    const desk = new Desk(world);
    const { lines, to } = auditLog();
    const record = audit({ keys: KEYS.slice(0, 1), to, program: "search", now: () => desk.now, withArguments: true });
    const rules = policy([
      ...[label("read", { tools: ["LOOK"] }), ask({ tools: ["PAY"], after: ["read"] }), allow({ tools: ["LOOK"] })],
    ]);
    const properties = { to: { type: "string" }, password: { type: "string" } };
    const tools = ["PAY", "LOOK"].map((slug) => {
      return { ...toolOf(slug, "20251023_00", false), input_parameters: { type: "object", properties } };
    });
    const options = { policy: rules, audit: record, accounts: { bank: "ca_1" }, executions: memoryExecutions() };
    const gate = desk.tokens();
    const chat = { conversationId: "chat", isNewConversation: true };
    const { run, asked } = await desk.toolset(gate, { ...options, ...chat }, tools);
    await run("a", [], { to: "a" }, "LOOK");
    const token = await gate.approve(await asked("b", { to: "b", password: "secret" }), ADA);
    const { entry } = JSON.parse(lines.at(-1) ?? "") as AuditLine;
    see("of one that waits", [entry.status, entry.accountId, entry.arguments?.["to"]], ["pending", "ca_1", "b"]);
    lines.length = 0;
    desk.now = 2_000_000;
    await run("b", [token], { to: "b", password: "secret" });
    const entries = lines.map((line) => (JSON.parse(line) as AuditLine).entry);
    const facts = {
      ...{ at: "1970-01-01T00:33:20.000Z", program: "search", userId: "user-1", conversationId: "chat", callId: "b" },
      ...{ tool: "PAY", version: "20251023_00", accountId: "ca_1", approver: "ada", labels: ["read"] },
      arguments: { to: "b", password: "[redacted]" },
      decisions: [{ tool: "PAY", outcome: "ask", rule: "rules[1]" }],
    };
    see(
      "its lines",
      entries.map(({ argumentsDigest, ...entry }) => ({ ...entry, argumentsDigest: argumentsDigest?.length })),
      [
        { ...facts, type: "started", argumentsDigest: 64 },
        { ...facts, type: "ended", argumentsDigest: 64, status: "succeeded", isReplay: false },
      ],
    );
  }),
];
