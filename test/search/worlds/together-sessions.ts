// Agent sessions beside standing approvals, tickets and budgets, and the parts of a policy that a program reads.
import { openai } from "../../../src/agents/adapters/openai.js";
import { toolset } from "../../../src/agents/index.js";
import { allow, ask, budget, deny, dryRun, label, policy } from "../../../src/agents/policy-entry.js";
import type { Definition } from "../world.js";
import { scripted, thrown } from "./scripted.js";
import { ended } from "./service.js";
import { inner, MULTI, session } from "./sessions.js";

const ADA = { approver: "ada" };
const item = (call_id: string, to: string) => ({
  type: "function_call",
  call_id,
  name: "PAY",
  arguments: JSON.stringify({ to }),
});

export const togetherSessions: readonly Definition[] = [
  scripted("budgets: 1 process, a session that was opened by its id, and its user's", async (_, see) => {
    const rules = [allow({}), ask({ tools: ["TIP"] }), budget({ id: "calls", maxCalls: 2 })];
    const { svc, ran, gate, guardrails, status, executions } = await session(rules);
    const options = { policy: guardrails, approvals: gate };
    const open = (id: string, more: object = {}) =>
      toolset(svc.toolRouter.use(id), { ...options, executions, ...more });
    const one = await open("trs_1");
    const run = async (tools: typeof one, callId: string, name = "PAY") => {
      const [result] = await tools.run([{ callId, name, arguments: { to: callId } }]);
      return result;
    };
    see("of the user", await status("a", inner("PAY")), "succeeded");
    see("of the session", [(await run(one, "a"))?.status, (await run(one, "b"))?.status], ["succeeded", "succeeded"]);
    see("its budget is used up", (await run(one, "c"))?.status, "not_run");
    const used = async (userId: string) => (await guardrails.budgets.read({ id: "calls", userId }))[0]?.used;
    see("who used it", [await used("user-1"), await used("trs_1"), await used("trs_2")], [1, 2, 0]);
    const other = await open("trs_2");
    see("another session's call has its own id", [(await run(other, "a"))?.status, ran.length], ["succeeded", 4]);
    const pending = (await run(other, "t", "TIP"))?.pendingApproval;
    see(
      "no user, version or account",
      [pending?.userId, pending?.sessionId, pending?.version, pending?.accountId],
      [...[null, "trs_2", null, null]],
    );
    const everywhere = { ...ADA, maxUses: 2, conversations: "all" } as const;
    see(
      "nor all conversations",
      (await thrown(() => gate.standing.approve(pending as never, everywhere))) !== "",
      true,
    );
    await gate.standing.approve(pending as never, { ...ADA, maxUses: 2 });
    const listed: string[] = [];
    for await (const { request } of gate.standing.list({ userId: "trs_2" })) listed.push(request.call.callId);
    for await (const { request } of gate.standing.list({ userId: "trs_1" })) listed.push(request.call.callId);
    see("it is listed under its session", listed, ["t"]);
    see(
      "it runs there",
      [(await run(other, "t", "TIP"))?.status, (await run(one, "t", "TIP"))?.status],
      ["succeeded", "not_run"],
    );
  }),
  scripted("tickets: 1 process, a turn of a session that waits", async (_, see) => {
    const { svc, ran, gate, guardrails, executions } = await session([
      ask({ tools: ["PAY"] }),
      allow({ tools: ["LOOK"] }),
    ]);
    const options = { policy: guardrails, approvals: gate, executions };
    const open = async (id: string) => openai(await toolset(svc.toolRouter.use(id), options));
    const { run, resume } = await open("trs_1");
    const turn = await run({ id: "resp_1", output: [item("call_a", "a")] } as never);
    const ticket = JSON.parse(JSON.stringify(await turn.suspend([])));
    see("whose it is", [ticket.userId, ticket.sessionId], [null, "trs_1"]);
    const decisions = [await gate.approve(ticket.pendingApprovals[0], ADA)];
    const strange = (await open("trs_2")).resume(ticket, { decisions });
    see("in another session", await strange.catch((error) => error.reason), "other_session");
    see("in its own", (await resume(ticket, { decisions })).results.map(ended), ["succeeded"]);
    see("the service ran", ran, ["PAY a"]);
  }),
  scripted("approvals: 1 process, inner calls of a standing approval, a denial and a dry run", async (_, see) => {
    const rules = [allow({ tools: [MULTI, "LOOK"] }), ask({ tools: ["PAY"] }), dryRun({ tools: ["TIP"] })];
    const { ran, gate, run, status } = await session(rules);
    const pending = (await run("a", [inner("PAY")]))?.pendingApproval;
    await gate.standing.approve(pending as never, { ...ADA, maxUses: 2 });
    see("beside a dry rule", await status("b", inner("PAY"), inner("TIP")), "dry_run");
    see("its own", await status("a", inner("PAY")), "succeeded");
    const asked = (await run("c", [inner("PAY", "c"), inner("LOOK")]))?.pendingApproval;
    const no = await gate.deny(asked as never, { ...ADA, reason: "No." });
    const denied = await run("c", [inner("PAY", "c"), inner("LOOK")], { approvals: [no] });
    see("denied", [denied?.status, denied?.text.includes("No.")], ["not_run", true]);
    see("again", (await run("c", [inner("PAY", "c"), inner("LOOK")]))?.isReplay, true);
    see(
      "another one of two uses",
      [await status("d", inner("PAY")), await status("e", inner("PAY"))],
      ["succeeded", "pending"],
    );
    see("the service ran", ran, ["PAY a", "PAY a"]);
  }),
  scripted("budgets: 1 process, the part of a policy that a session enforces", async (_, see) => {
    const tools = ["PAY", "TIP", "LOOK", "SEND"].map((slug) => {
      return {
        slug,
        toolkit: { slug: slug === "SEND" ? "mail" : "bank" },
        tags: slug === "LOOK" ? ["readOnlyHint"] : [],
      };
    });
    const limits = (rules: Parameters<typeof policy>[0], allowed?: "conditionally") => {
      const made = policy([...rules]).forSession(tools as never, allowed && { allowed });
      return [
        Object.entries(made.tools).map(([toolkit, { enable }]) => `${toolkit} ${enable}`),
        made.execute.enable_multi_execute,
      ];
    };
    const rules = [
      ...[allow({ tags: ["readOnlyHint"] }), allow({ tools: ["PAY", "TIP"] }), budget({ maxCalls: 1, tools: ["TIP"] })],
      ...[ask({ tools: ["SEND"] }), deny({ tools: ["PAY"], when: { to: { is: "eve" } } })],
    ];
    see("without a toolset", limits(rules), [["bank LOOK"], false]);
    see("with one", limits(rules, "conditionally"), [["bank PAY,TIP,LOOK", "mail SEND"], false]);
    see("all", limits([allow({}), allow({ tools: [MULTI] })]), [["bank PAY,TIP,LOOK", "mail SEND"], true]);
    see("but one", limits([allow({}), deny({ tools: ["PAY"] })]), [["bank TIP,LOOK", "mail SEND"], true]);
    see("none", (await thrown(() => limits([deny({})]))).includes("none of the tools"), true);
    see(
      "of one user",
      (await thrown(() => limits([allow({ users: ["user-1"] })]))).includes("none of the tools"),
      true,
    );
  }),
  scripted("approvals: 1 process, a policy whose rules are changed later, and what it explains", async (_, see) => {
    const tools = ["PAY"];
    const oneOf = ["a"];
    const rules: Parameters<typeof policy>[0][number][] = [allow({ tools, when: { to: { oneOf } } })];
    const guardrails = policy(rules);
    tools.push("TIP");
    oneOf.push("b");
    rules.push(allow({}));
    const decide = (name: string, to: string) =>
      guardrails.decide({ tool: { name }, arguments: { to } } as never).outcome;
    see("it is as it was", [decide("PAY", "a"), decide("TIP", "a"), decide("PAY", "b")], ["allow", "deny", "deny"]);
    const { trace, ...decision } = guardrails.explain({ tool: { name: "PAY" }, arguments: { to: "b" } } as never);
    const facts = { matched: false, failed: "when", unknown: [], needsExactName: false, error: undefined };
    see("why", [decision.outcome, trace], ["deny", [{ rule: "rules[0]", outcome: "allow", ...facts }]]);
    see(
      "equal rules, equal digests",
      [
        guardrails.digest === policy([allow({ tools: ["PAY"], when: { to: { oneOf: ["a"] } } })]).digest,
        guardrails.digest === policy([allow({ tools: ["PAY"] })]).digest,
      ],
      [true, false],
    );
    const twins = [allow({}), budget({ id: "x", maxCalls: 1 }), budget({ id: "x", maxCalls: 2 })];
    see("two budgets with one id", (await thrown(() => policy(twins))) !== "", true);
    const unlabeled = [allow({}), deny({ after: ["read"] })];
    see("a label that no rule gives", (await thrown(() => policy(unlabeled))) !== "", true);
    const read = policy([
      allow({}),
      budget({ id: "x", maxCalls: 1, per: "all" }),
      label("read", { tools: ["PAY"] }),
    ]).budgets;
    see(
      "no user is needed for all",
      (await read.read({ id: "x" })).map(({ left }) => left),
      [1],
    );
    see("an unknown budget", (await thrown(() => read.read({ id: "y" }))) !== "", true);
  }),
];
