// Calls of an agent session that make others: what they may do, count and bring with them.
import { memoryExecutions, type ToolSession, toolset } from "../../../src/agents/index.js";
import {
  allow,
  approvals,
  ask,
  budget,
  customPolicy,
  deny,
  dryRun,
  label,
  memoryApprovals,
  memoryBudgets,
  policy,
} from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition } from "../world.js";
import { KEYS, toolOf } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";

export const MULTI = "SVC_MULTI_EXECUTE_TOOL";
/** It runs code, which can call any tool. */
const WORKBENCH = "SVC_REMOTE_WORKBENCH";
const ADA = { approver: "ada" };
const META = {
  ...toolOf(MULTI),
  tags: ["destructiveHint"],
  input_parameters: { type: "object", properties: { tools: { type: "array" } }, required: ["tools"] },
};

export const inner = (tool_slug: string, to: unknown = "a", more: object = {}) => ({
  tool_slug,
  arguments: { to },
  ...more,
});

/** A session whose meta tool runs several tools, and a toolset of it under rules. */
export async function session(rules: Parameters<typeof policy>[0], options: object = {}, isDown = () => false) {
  const ran: string[] = [];
  /** How the execution log was searched. */
  const looks: string[] = [];
  const search = { ...toolOf("SVC_SEARCH_TOOLS"), tags: ["openWorldHint"] };
  const listed = [META, search, ...["PAY", "TIP", "LOOK", WORKBENCH].map((slug) => toolOf(slug))];
  const execute = async (
    slug: string,
    args: { tools?: { tool_slug: string; arguments: { to: string } }[]; to?: string },
  ) => {
    for (const call of args.tools ?? [{ tool_slug: slug, arguments: { to: args.to ?? "" } }]) {
      ran.push(`${call.tool_slug} ${call.arguments.to}`);
    }
    return { data: { done: true }, successful: true, error: null, log_id: "log_1" };
  };
  const svc = new Svc({
    ...{ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0 },
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/session")) {
        const config = { user_id: "user-1" };
        return Response.json({
          session_id: "s_1",
          config,
          mcp: { type: "http", url: "https://m.test" },
          tool_router_tools: [],
        });
      }
      if (pathname.endsWith("/tools")) return Response.json({ items: listed, next_cursor: null });
      const body = await request.json();
      if (pathname.includes("/logs/")) {
        looks.push(
          body.filters.map(({ field, value }: { field: string; value: string }) => `${field} ${value}`).join(),
        );
        return Response.json({ logs: [], next_cursor: null });
      }
      if (isDown()) throw Object.assign(new TypeError("fetch failed"), { code: "ECONNRESET" });
      const slug = body.slug ?? body.tool_slug;
      return Response.json(await execute(slug, body.arguments));
    },
  });
  const opened: ToolSession = await svc.toolRouter.create({ user_id: "user-1" });
  const gate = approvals({ keys: KEYS.slice(0, 1), store: memoryApprovals() });
  const budgets = memoryBudgets();
  const guardrails = policy([...rules], { budgets });
  const executions = memoryExecutions();
  const tools = await toolset(opened, { policy: guardrails, approvals: gate, executions, ...options });
  const run = async (callId: string, calls: unknown, more: object = {}) => {
    const [result] = await tools.run([{ callId, name: MULTI, arguments: { tools: calls } }], more);
    return result;
  };
  const status = async (callId: string, ...calls: readonly unknown[]) => (await run(callId, calls))?.status;
  return { svc, executions, ran, looks, gate, guardrails, run, status, tools };
}

const outer = allow({ tools: [MULTI] });

export const sessions: readonly Definition[] = [
  scripted("executions: 1 process, calls that make others", async (_, see) => {
    const { ran, status, run } = await session([outer, allow({ tools: ["PAY"] })]);
    see("allowed", await status("a", inner("PAY"), inner("PAY", "b")), "succeeded");
    see("again", await status("a", inner("PAY"), inner("PAY", "b")), "succeeded");
    see("one that isn't", await status("b", inner("PAY"), inner("TIP")), "not_run");
    see("none", await status("c"), "not_run");
    see("why", (await run("d", [inner("NONE")]))?.text.includes("isn't a known tool"), true);
    for (const odd of [
      inner("NONE"),
      inner("PAY", 5),
      inner("PAY", "a", { more: 1 }),
      inner("PAY", "a", { account: 5 }),
      "PAY",
      {},
    ]) {
      see(JSON.stringify(odd), await status("d", odd), "not_run");
    }
    see("the service ran", ran, ["PAY a", "PAY b"]);
    const all = await session([allow({})]);
    const [search] = await all.tools.run([{ callId: "a", name: "SVC_SEARCH_TOOLS", arguments: { to: "a" } }]);
    see("one that makes none", [search?.status, all.ran], ["succeeded", ["SVC_SEARCH_TOOLS a"]]);
  }),
  scripted("approvals: 1 process, calls that make others", async (_, see) => {
    const { ran, gate, status, run } = await session([
      outer,
      allow({ tools: ["LOOK"] }),
      ask({ tools: ["PAY"], reason: "It costs." }),
    ]);
    const asked = await run("a", [inner("LOOK"), inner("PAY")]);
    const pending = asked?.pendingApproval;
    see(
      "it waits",
      [asked?.status, pending?.inner.map(({ name, reason }) => `${name} ${reason}`)],
      ["pending", ["LOOK null", "PAY It costs."]],
    );
    const token = await gate.approve(pending as never, ADA);
    const other = await run("a", [inner("LOOK"), inner("PAY", "z")], { approvals: [token] });
    see("other calls", other?.status, "pending");
    see("it runs", (await run("a", [inner("LOOK"), inner("PAY")], { approvals: [token] }))?.status, "succeeded");
    const next = (await run("b", [inner("PAY")]))?.pendingApproval;
    const wide = { ...ADA, maxUses: 3, when: { tools: { present: true } } } as const;
    see("no condition on its arguments", (await thrown(() => gate.standing.approve(next as never, wide))) !== "", true);
    await gate.standing.approve(next as never, { ...ADA, maxUses: 3 });
    see(
      "a standing approval",
      [await status("b", inner("PAY")), await status("c", inner("PAY"))],
      ["succeeded", "succeeded"],
    );
    see("with others", await status("d", inner("PAY"), inner("LOOK")), "pending");
    see("the service ran", ran, ["LOOK a", "PAY a", "PAY a", "PAY a"]);
  }),
  scripted("approvals: 1 process, a policy of the program that changes what it reads", async (_, see) => {
    const decide = (asked: { tool: object }) => {
      try {
        asked.tool = { ...asked.tool, name: "LOOK" };
      } catch {
        // It is frozen.
      }
      return { outcome: "ask", reason: "It costs." } as const;
    };
    const { run } = await session([outer], { policy: customPolicy({ digest: "one", decide }) });
    const pending = (await run("a", [inner("PAY")]))?.pendingApproval;
    see("a person reads what runs", [pending?.call.name, pending?.inner.map(({ name }) => name)], [MULTI, ["PAY"]]);
  }),
  scripted("budgets: 1 process, calls that make others", async (_, see) => {
    const { ran, status, guardrails } = await session([
      ...[allow({}), deny({ tags: ["destructiveHint"] }), dryRun({ tools: ["TIP"] })],
      ...[budget({ id: "calls", maxCalls: 3 }), budget({ id: "outer", maxCalls: 2, tools: [MULTI] })],
    ]);
    const left = async (id: string) => (await guardrails.budgets.read({ id, userId: "user-1" }))[0]?.left;
    see(
      "two",
      [await status("a", inner("PAY"), inner("LOOK")), await left("calls"), await left("outer")],
      ["succeeded", 1, 1],
    );
    see(
      "two more",
      [await status("b", inner("PAY"), inner("LOOK")), await left("calls"), await left("outer")],
      ["not_run", 1, 1],
    );
    see("one dry", [await status("c", inner("TIP"), inner("PAY")), await left("calls")], ["dry_run", 1]);
    see("one", [await status("d", inner("PAY", "d")), await left("calls"), await left("outer")], ["succeeded", 0, 0]);
    see("the service ran", ran, ["PAY a", "LOOK a", "PAY d"]);
  }),
  scripted("budgets: 1 process, calls that make others past a limit", async (_, see) => {
    const limit = budget({ id: "calls", maxCalls: 1, tools: ["PAY"], atLimit: "ask", windowMs: 60_000 });
    const { ran, status } = await session([allow({}), limit]);
    see("within it", await status("a", inner("PAY")), "succeeded");
    see("past it", await status("b", inner("PAY", "b")), "pending");
    await new Promise((resolve) => setTimeout(resolve, 62_000));
    see("it waits for the decision", await status("b", inner("PAY", "b")), "pending");
    see("the service ran", ran, ["PAY a"]);
  }),
  scripted("labels: 1 process, calls that make others", async (_, see) => {
    const rules = [
      ...[allow({}), label("untrusted", { tools: ["LOOK"] }), label("meta", { tags: ["destructiveHint"] })],
      deny({ tools: ["PAY"], after: ["untrusted"] }),
    ];
    const chat = { conversationId: "one", isNewConversation: true };
    const { ran, status, run } = await session(rules, chat);
    const first = await run("a", [inner("PAY")]);
    see("without a text", [first?.status, first?.labels], ["succeeded", []]);
    const read = await run("b", [inner("TIP"), inner("LOOK")]);
    see("a text", [read?.status, read?.labels], ["succeeded", ["untrusted"]]);
    see("again", (await run("b", [inner("TIP"), inner("LOOK")]))?.labels, ["untrusted"]);
    see("after it", [await status("c", inner("PAY")), await status("d", inner("TIP"))], ["not_run", "succeeded"]);
    see("the service ran", ran, ["PAY a", "TIP a", "LOOK a", "TIP a"]);
  }),
  scripted("settling: 1 process, a call of a session", async (_, see) => {
    const settle = { deadlineMs: 3_000, pollMs: 1_000 };
    const executions = { ...memoryExecutions(), finish: () => Promise.reject(new Error("It is down.")) };
    const { looks, tools } = await session([allow({})], { settle, executions }, () => true);
    const calls = [{ callId: "a", name: "PAY", arguments: { to: "a" } }];
    const looked = async () => {
      looks.length = 0;
      const [result] = await tools.run(calls);
      return [result?.status, looks.at(-1)];
    };
    see("it is looked for in its session", await looked(), ["unknown", "tool_slug PAY,session_id s_1"]);
    see("later, too", await looked(), ["unknown", "tool_slug PAY,session_id s_1"]);
  }),
  scripted("budgets: 1 process, a call that makes one twice", async (_, see) => {
    const { ran, status } = await session([allow({}), budget({ id: "each", maxCallsPerTool: 1 })]);
    see("twice in one", await status("a", inner("PAY"), inner("PAY", "b")), "not_run");
    see("once", await status("b", inner("PAY"), inner("LOOK")), "succeeded");
    see("the service ran", ran, ["PAY a", "LOOK a"]);
  }),
  scripted("labels: 1 process, meta tools", async (_, see) => {
    const rules = [
      ...[allow({}), allow({ tools: [WORKBENCH] }), label("untrusted", { tools: ["LOOK"] })],
      ...[label("outer", { tools: [MULTI] }), label("open", { tags: ["openWorldHint"] })],
      deny({ tools: ["PAY"], after: ["untrusted", "outer", "open"] }),
    ];
    const { run, tools } = await session(rules, { conversationId: "one", isNewConversation: true });
    const labelsOf = async (name: string) => {
      const [result] = await tools.run([{ callId: name, name, arguments: { to: "a" } }]);
      return [result?.status, result?.labels.toSorted()];
    };
    see("by the tool itself", (await run("a", [inner("TIP")]))?.labels, ["outer"]);
    see("with those of its calls", (await run("b", [inner("LOOK")]))?.labels, ["outer", "untrusted"]);
    see("by a tag", await labelsOf("SVC_SEARCH_TOOLS"), ["succeeded", ["open"]]);
    see("one that can run anything", await labelsOf(WORKBENCH), ["succeeded", ["open", "outer", "untrusted"]]);
  }),
];
