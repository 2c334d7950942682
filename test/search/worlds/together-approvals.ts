// Decisions of persons beside labels, budgets, accounts, middleware, cuts and repeated ids.
import { aiSdkApproval } from "../../../src/agents/adapters/ai-sdk.js";
import type { PendingApproval } from "../../../src/agents/policy-entry.js";
import {
  type ApprovalsOptions,
  allow,
  approvals,
  ask,
  budget,
  deny,
  label,
  memoryApprovals,
  memoryBudgets,
  policy,
  type TokenApprovals,
} from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { KEYS, toolOf } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";
import { call, ended, failure, program, Service } from "./service.js";

const ADA = { approver: "ada" };
type Rules = Parameters<typeof policy>[0];

/** A program whose model's payments need approvals. */
export async function asking(
  world: World,
  rules: Rules = [ask({ tools: ["PAY"], reason: "It costs." }), allow({ tools: ["LOOK", "TIP"] })],
  options: object = {},
  given: Partial<ApprovalsOptions> = {},
  tools = [toolOf("PAY"), toolOf("TIP"), toolOf("LOOK")],
) {
  const service = new Service(world);
  const clock = { now: 1_000_000 };
  const gate = approvals({ keys: KEYS.slice(0, 1), now: () => clock.now, ...given });
  const guardrails = policy([...rules], { budgets: memoryBudgets() });
  const made = await program(service, { policy: guardrails, approvals: gate, ...options }, tools);
  const asked = async (...args: Parameters<typeof made.run>) =>
    (await made.run(...args)).pendingApproval as PendingApproval;
  const used = async (id: string) => (await guardrails.budgets.read({ id, userId: "user-1" }))[0]?.used;
  return { service, clock, gate, guardrails, asked, used, ...made };
}

const statesOf = async (gate: TokenApprovals, state: "pending" | "approved" | "denied") => {
  const ids: string[] = [];
  for await (const { pending } of gate.list({ state })) ids.push(pending.call.callId);
  return ids;
};

export const togetherApprovals: readonly Definition[] = [
  scripted("approvals: 1 process, arguments that middleware has changed", async (_, see, world) => {
    let more = "!";
    const use = [
      async (given: { arguments: object }, next: () => Promise<never>) => {
        given.arguments = { to: `${Object(given.arguments).to}${more}` };
        return next();
      },
    ];
    const { service, gate, asked, run } = await asking(world, undefined, { use });
    const pending = await asked("a");
    see("a person reads what is sent", [pending.arguments, pending.call.arguments], [{ to: "a!" }, { to: "a" }]);
    const approved = [await gate.approve(pending, ADA)];
    more = "?";
    see("other ones", (await run("a", undefined, undefined, { approvals: approved })).status, "pending");
    more = "!";
    see("these", (await run("a", undefined, undefined, { approvals: approved })).status, "succeeded");
    see("the service ran", service.ran(), ["PAY a!"]);
  }),
  scripted("approvals: 1 process, decisions on calls that were cut off", async (_, see, world) => {
    const { service, gate, asked, run, turn } = await asking(world);
    const cut = { isTruncated: true };
    const approved = [await gate.approve(await asked("a"), ADA)];
    see("a cut one isn't approved", await turn([call("a", { to: "a" }, "PAY", cut)], { approvals: approved }), [
      "not_run",
    ]);
    see("nor does it look whole", (await run("a", undefined, undefined, { approvals: approved })).status, "not_run");
    const whole = await asked("a", { to: "ab" });
    see("the whole one waits", whole.arguments, { to: "ab" });
    const both = [...approved, await gate.approve(whole, ADA)];
    see("with its own approval", (await run("a", { to: "ab" }, "PAY", { approvals: both })).status, "succeeded");
    see("the service ran", service.ran(), ["PAY ab"]);
  }),
  scripted("approvals: 1 process, another call under the id of one that was denied", async (_, see, world) => {
    const { service, gate, asked, run } = await asking(world);
    const no = await gate.deny(await asked("a"), { ...ADA, reason: "Too much." });
    const denied = await run("a", undefined, undefined, { approvals: [no] });
    see("denied", [ended(denied), denied.text.includes("Too much.")], ["not_run", true]);
    const other = await run("a", { to: "b" });
    see("another one", [ended(other), other.text.includes("had this id")], ["not_run", true]);
    const again = await run("a");
    see("it again", [ended(again), again.text === denied.text], ["not_run again", true]);
    see("under another id", (await asked("b", { to: "a" })).previousArguments, null);
    see("the service ran", service.ran(), []);
  }),
  scripted("approvals: 1 process, a call that is pending twice in a turn", async (_, see, world) => {
    let told = 0;
    const onRequest = () => {
      told += 1;
    };
    const store = memoryApprovals();
    const { service, gate, made, turn } = await asking(world, undefined, {}, { store, onRequest });
    const results = await made.run([call("a"), call("a"), call("b", { to: "a" })]);
    const ids = results.map(({ pendingApproval }) => pendingApproval?.id);
    see("one request for both", [ids[0] === ids[1], ids[0] === ids[2], told], [true, false, 2]);
    await gate.approve(ids[0] ?? "", ADA);
    see("it runs once", await turn([call("a"), call("a"), call("b", { to: "a" })]), [
      ...["succeeded", "succeeded again", "pending"],
    ]);
    see("the service ran", [service.ran(), await statesOf(gate, "pending")], [["PAY a"], ["b"]]);
  }),
  scripted("approvals: 1 process, an approved call that the service rejects", async (_, see, world) => {
    const { service, clock, gate, asked, run } = await asking(world);
    const limits = { approvals: [await gate.approve(await asked("a"), { ...ADA, expiresInMs: 1_000 })] };
    service.answers.push(
      () => failure(400),
      () => failure(500),
    );
    see("rejected", (await run("a", undefined, undefined, limits)).status, "not_run");
    see("without it", (await run("a")).status, "pending");
    clock.now += 999;
    see("it may have run", (await run("a", undefined, undefined, limits)).status, "unknown");
    clock.now += 1;
    see("not again", ended(await run("a", undefined, undefined, limits)), "unknown again");
    see("the service got", service.ran(), ["PAY a", "PAY a"]);
  }),
  scripted("approvals: 1 process, a label that comes after the approval", async (_, see, world) => {
    const rules = [
      ...[ask({ tools: ["PAY"] }), allow({ tools: ["LOOK"] }), label("untrusted", { tools: ["LOOK"] })],
      deny({ tools: ["PAY"], after: ["untrusted"], reason: "It read a text." }),
    ];
    const chat = { conversationId: "chat", isNewConversation: true };
    const { service, gate, asked, run, turn } = await asking(world, rules, chat);
    const approved = [await gate.approve(await asked("a"), ADA), await gate.approve(await asked("b"), ADA)];
    see("before", (await run("a", undefined, undefined, { approvals: approved })).status, "succeeded");
    see("a text", await turn([call("look", undefined, "LOOK")]), ["succeeded"]);
    const late = await run("b", undefined, undefined, { approvals: approved });
    see("after it", [late.status, late.text.includes("It read a text.")], ["not_run", true]);
    see("one that has run", ended(await run("a")), "succeeded again");
    see("the service ran", service.ran(), ["PAY a", "LOOK look"]);
  }),
  scripted("approvals: 1 process, a request and the labels of then", async (_, see, world) => {
    const rules = [
      ...[allow({}), label("read", { tools: ["LOOK"] }), label("tipped", { tools: ["TIP"] })],
      ask({ tools: ["PAY"], after: ["read"], reason: "It read." }),
    ];
    const chat = { conversationId: "chat", isNewConversation: true };
    const { service, gate, asked, run } = await asking(world, rules, chat);
    await run("tip", undefined, "TIP");
    see("one that isn't compared", (await run("a")).status, "succeeded");
    await run("look", undefined, "LOOK");
    const pending = await asked("b");
    see("what a person reads", [pending.labels, pending.reason], [["read"], "It read."]);
    see(
      "it runs",
      (await run("b", undefined, undefined, { approvals: [await gate.approve(pending, ADA)] })).labels,
      [],
    );
    see("the service ran", service.ran(), ["TIP tip", "PAY a", "LOOK look", "PAY b"]);
  }),
  scripted("approvals: 1 process, the account of an approved call is lost and comes back", async (_, see, world) => {
    const tools = [toolOf("PAY", "20251023_00", false)];
    const rules = [ask({}), budget({ id: "calls", maxCalls: 1 })];
    const { service, gate, asked, run, used } = await asking(world, rules, { accounts: "newest" }, {}, tools);
    service.accounts = [{ id: "ca_1", status: "ACTIVE" }];
    const pending = await asked("a");
    see("its account", [pending.accountId, pending.budgets[0]?.left], ["ca_1", 1]);
    const limits = { approvals: [await gate.approve(pending, ADA)] };
    service.accounts = [{ id: "ca_1", status: "EXPIRED" }];
    const lost = await run("a", undefined, undefined, limits);
    see("lost", [lost.status, lost.authRequired?.reason, await used("calls")], ["not_run", "expired", 0]);
    service.accounts = [
      { id: "ca_2", status: "ACTIVE" },
      { id: "ca_1", status: "ACTIVE" },
    ];
    see("another one is newer", (await run("a", undefined, undefined, limits)).status, "pending");
    service.accounts = [{ id: "ca_1", status: "ACTIVE" }];
    see("it is back", (await run("a", undefined, undefined, limits)).status, "succeeded");
    see("the service ran", [service.ran(), await used("calls")], [["PAY a ca_1"], 1]);
  }),
  scripted("approvals: 1 process, the label of an account that the model names", async (_, see, world) => {
    const tools = [toolOf("PAY", "20251023_00", false)];
    const accounts = { bank: { work: "ca_1", home: "ca_2" } };
    const { service, gate, asked, run } = await asking(world, [ask({})], { accounts }, {}, tools);
    const args = (account: string) => ({ to: "a", account });
    const pending = await asked("a", args("work"));
    see("a person reads its id", [pending.accountId, pending.arguments], ["ca_1", args("work")]);
    const limits = { approvals: [await gate.approve(pending, ADA)] };
    see("the other one", (await run("a", args("home"), "PAY", limits)).status, "pending");
    see("it", (await run("a", args("work"), "PAY", limits)).status, "succeeded");
    see("the service ran", service.ran(), ["PAY a ca_1"]);
  }),
  scripted("approvals: 1 process, a library's question, the call, and a budget", async (_, see, world) => {
    const store = memoryApprovals();
    let told = 0;
    const onRequest = () => {
      told += 1;
    };
    const rules = [ask({ tools: ["PAY"] }), allow({}), budget({ id: "calls", maxCalls: 1 })];
    const { service, gate, made, run, used } = await asking(world, rules, {}, { store, onRequest });
    const question = (toolCallId: string, toolName: string) =>
      aiSdkApproval(made)({ toolCall: { toolCallId, toolName, input: { to: toolCallId } } } as never);
    see("one that is allowed", await question("l", "LOOK"), undefined);
    see("one that needs an approval", await question("a", "PAY"), "user-approval");
    see("opens its request", [await statesOf(gate, "pending"), told], [["a"], 1]);
    see("and counts nothing", await used("calls"), 0);
    const waiting = await run("a");
    see("the call has the same", [waiting.status, told], ["pending", 1]);
    await gate.approve(waiting.pendingApproval?.id ?? "", ADA);
    see("decided", await question("a", "PAY"), undefined);
    see("it runs", (await run("a")).status, "succeeded");
    see("used up, no one is asked", await question("b", "PAY"), undefined);
    see("the service ran", [service.ran(), await statesOf(gate, "pending"), told], [["PAY a"], [], 1]);
  }),
  scripted("approvals: 1 process, an abort while a program is told", async (_, see, world) => {
    const stop = new AbortController();
    let told = 0;
    const onRequest = async () => {
      told += 1;
      if (told === 1) {
        stop.abort(new Error("stop"));
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    };
    const store = memoryApprovals();
    const { service, gate, made, run } = await asking(world, undefined, {}, { store, onRequest });
    see("it rejects", await thrown(() => made.run([call("a")], { signal: stop.signal })), "stop");
    see("its request is open", [await statesOf(gate, "pending"), told], [["a"], 1]);
    see("the next one tells it again", [(await run("a")).status, told], ["pending", 2]);
    await gate.deny((await run("a")).pendingApproval?.id ?? "", ADA);
    see("denied", [(await run("a")).status, await statesOf(gate, "denied")], ["not_run", ["a"]]);
    see("the service ran", service.ran(), []);
  }),
  scripted("approvals: 1 process, an answer to a prompt beside a decision in the store", async (_, see, world) => {
    const { service, gate, asked, run } = await asking(world, undefined, {}, { store: memoryApprovals() });
    const first = await asked("a");
    const prompt = await gate.request(first, { approver: "bob", expiresInMs: 1_000 });
    const answer = await gate.respond(prompt.token, { approved: true });
    const kept = await gate.get(first.id);
    see("the store has it", [kept?.state, kept?.approver, answer.callId], ["approved", "bob", "a"]);
    see("another decision", (await thrown(() => gate.deny(first.id, ADA))) !== "", true);
    see("it needs no token", (await run("a")).status, "succeeded");
    const second = await asked("b");
    const late = await gate.request(second, { approver: "bob", expiresInMs: 1_000 });
    await gate.deny(second.id, { ...ADA, reason: "No." });
    const rejected = await gate.respond(late.token, { approved: true }).catch((error) => error.reason);
    see("a late answer", rejected, "already_decided");
    const denied = await run("b");
    see("the denial stays", [denied.status, denied.text.includes("No.")], ["not_run", true]);
    see("the service ran", service.ran(), ["PAY a"]);
  }),
];
