// Tokens of approvals, in one program.

import { memoryExecutions } from "../../../src/agents/index.js";
import { allow, ask, policy } from "../../../src/agents/policy-entry.js";
import type { Definition } from "../world.js";
import { Desk, KEYS, toolOf } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";

const ADA = { approver: "ada" };

/** A token with one character changed. */
function flipped(token: string, at: number): string {
  const index = at < 0 ? token.length + at : at;
  return token.slice(0, index) + (token[index] === "A" ? "B" : "A") + token.slice(index + 1);
}

export const tokens: readonly Definition[] = [
  scripted("approvals: 1 process, a token and its call", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.tokens();
    const { run, asked, made } = await desk.toolset(gate);
    const pending = await asked("a");
    see(
      "what is asked",
      [pending.call.callId, pending.arguments, pending.reason, pending.userId, pending.expiresAt, pending.labels],
      [...["a", { to: "a" }, "It costs.", "user-1", null, []]],
    );
    const token = await gate.approve(pending, ADA);
    see("another call", (await run("b", [token])).status, "pending");
    see("other arguments", (await run("a", [token], { to: "a", amount: 5 })).status, "pending");
    see("another tool", (await run("a", [token], { to: "a" }, "TIP")).status, "pending");
    const dry = await made.run([pending.call], { approvals: [token], dryRun: true });
    see("a dry run", dry[0]?.status, "dry_run");
    see("a dry run without it", (await made.run([pending.call], { dryRun: true }))[0]?.status, "pending");
    see("nothing ran", desk.ran, []);
    const other = await gate.approve(await asked("z"), ADA);
    see("its call", (await run("a", [other, token])).status, "succeeded");
    see("nothing was changed", (await asked("y", { to: "y" })).previousArguments, null);
    const half = await run("x", [], { to: "\ud83d" });
    see("no one can read it", [half.status, half.text.includes("half of a character")], ["not_run", true]);
    const again = await run("a", [token]);
    see("its call again", [again.status, again.isReplay], ["succeeded", true]);
    see("a free call", (await run("f", [], { to: "f" }, "LOOK")).status, "succeeded");
    // As a JavaScript program may pass it.
    see("no list", (await thrown(() => run("c", token as unknown as string[]))) !== "", true);
    see("the service ran", desk.ran, ["PAY a", "LOOK f"]);
  }),
  scripted("approvals: 1 process, tokens that aren't whole", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.tokens();
    const { run, asked } = await desk.toolset(gate);
    const token = await gate.approve(await asked("a"), ADA);
    const [version, body = "", mac = ""] = token.split(".");
    const odd: readonly (readonly [string, string])[] = [
      ["", "malformed"],
      [`${version}.${body}`, "malformed"],
      [`${token}.more`, "malformed"],
      [`v2.${body}.${mac}`, "unsupported_version"],
      [`x1.${body}.${mac}`, "malformed"],
      [`${version}.${body}.`, "not_canonical"],
      [`${version}.${body}=.${mac}`, "not_canonical"],
      [flipped(token, 10), "bad_signature"],
      [`${version}.${body}.${flipped(mac, 5)}`, "bad_signature"],
      [`${token}${"A".repeat(20_000)}`, "malformed"],
    ];
    for (const [text, reason] of odd) {
      const result = await run("a", [text]);
      see(String(text).slice(-12), [result.status, Reflect.get(Object(result.error), "reason")], ["pending", reason]);
    }
    const other = await gate.approve(await asked("z"), ADA);
    for (const given of [
      [other, flipped(token, 10)],
      [flipped(token, 10), other],
    ]) {
      const { error } = await run("a", given);
      see("its own, beside that of another call", Reflect.get(Object(error), "reason"), "bad_signature");
    }
    const { error } = await run("a", [other]);
    see("only that of another call", Reflect.get(Object(error), "reason"), "other_call");
    see("beside others", (await run("a", [...odd.map(([text]) => text), token])).status, "succeeded");
    see("the service ran", desk.ran, ["PAY a"]);
  }),
  scripted("approvals: 1 process, requests that aren't whole", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.tokens();
    const pending = await (await desk.toolset(gate)).asked("a");
    const isRefused = async (odd: object) => (await thrown(() => gate.approve({ ...pending, ...odd }, ADA))) !== "";
    see("a whole one", await isRefused({}), false);
    for (const name of ["version", "userId", "accountId", "sessionId"]) {
      see(`no ${name}`, await isRefused({ [name]: null }), false);
      see(`an odd ${name}`, await isRefused({ [name]: 5 }), true);
    }
    for (const odd of [{ scope: null }, { scope: 5 }, { policyDigest: null }, { policyDigest: 5 }]) {
      see(JSON.stringify(odd), await isRefused(odd), true);
    }
    desk.now += 0.5;
    see("an odd time", await isRefused({}), true);
  }),
  scripted("approvals: 1 process, tokens of other times, keys and programs", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.tokens();
    const first = await desk.toolset(gate, { executions: memoryExecutions() });
    const token = await gate.approve(await first.asked("a"), { ...ADA, expiresInMs: 1_000 });
    const rules = policy([ask({ tools: ["PAY"] }), allow({ tools: ["LOOK"] })]);
    const others: readonly (readonly [string, Parameters<Desk["toolset"]>])[] = [
      ["other_user", [gate, { userId: "user-2" }]],
      ["other_scope", [gate, { conversationId: "chat" }]],
      ["other_policy", [gate, { policy: rules }]],
      ["other_version", [gate, {}, [toolOf("PAY", "20251024_00"), toolOf("TIP"), toolOf("LOOK")]]],
      ["bad_signature", [desk.tokens({ keys: KEYS.slice(1, 2) })]],
    ];
    for (const [reason, [by, options, tools]] of others) {
      const { run } = await desk.toolset(by, { executions: memoryExecutions(), ...options }, tools);
      const result = await run("a", [token]);
      see("it isn't for others", [result.status, Reflect.get(Object(result.error), "reason")], ["pending", reason]);
    }
    const rotated = await desk.toolset(desk.tokens({ keys: [KEYS[1] as never, KEYS[0] as never] }));
    see("after a rotation", (await rotated.run("a", [token])).status, "succeeded");
    desk.now += 999;
    const late = await desk.toolset(gate, { executions: memoryExecutions() });
    const until = await gate.approve(await late.asked("b"), { ...ADA, expiresInMs: 1_000 });
    desk.now += 999;
    see("its last moment", (await late.run("b", [until])).status, "succeeded");
    const over = await gate.approve(await late.asked("c"), { ...ADA, expiresInMs: 1_000 });
    desk.now += 1_000;
    const result = await late.run("c", [over]);
    see("its end", [result.status, Reflect.get(Object(result.error), "reason")], ["pending", "expired"]);
    const daily = await gate.approve(await late.asked("d"), ADA);
    desk.now += 86_399_999;
    see("a day", (await late.run("d", [daily])).status, "succeeded");
    see("the service ran", desk.ran, ["PAY a", "PAY b", "PAY d"]);
  }),
  scripted("approvals: 1 process, denials by tokens", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.tokens();
    const { run, asked, made } = await desk.toolset(gate);
    const pending = await asked("a");
    const yes = await gate.approve(pending, ADA);
    const no = await gate.deny(pending, { ...ADA, reason: "Too much." });
    for (const given of [
      [yes, no],
      [no, yes],
    ]) {
      const [dry] = await made.run([pending.call], { approvals: given, dryRun: true });
      see("a denial wins", [dry?.status, dry?.text.includes("Too much.")], ["not_run", true]);
    }
    desk.now += 400 * 86_400_000;
    const result = await run("a", [no]);
    see("a denial never expires", [result.status, result.text.includes("Too much.")], ["not_run", true]);
    const renewed = await gate.approve(pending, ADA);
    const stays = await run("a", [renewed]);
    see("it stays", [stays.status, stays.text.includes("Too much.")], ["not_run", true]);
    const changed = (await asked("b", { to: "b", amount: 1 })).previousArguments;
    see("what the model changed", changed, { to: "a" });
    see("of another tool", (await asked("c", { to: "c", amount: 1 }, "TIP")).previousArguments, null);
    see("what it changed then", (await asked("b", { to: "b", amount: 2 })).previousArguments, { to: "b", amount: 1 });
    see("nothing ran", desk.ran, []);
  }),
  scripted("approvals: 1 process, what a model changed", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.tokens();
    const { run, asked, made } = await desk.toolset(gate);
    const earlier = async (callId: string, args: object) => (await asked(callId, args)).previousArguments;
    const first = await asked("a");
    const no = await gate.deny(first, ADA);
    const dry = await made.run([first.call], { approvals: [no], dryRun: true });
    see("a denial in a dry run", dry[0]?.status, "not_run");
    see("isn't known of", await earlier("b", { to: "b" }), null);
    see("a denial", (await run("a", [no])).status, "not_run");
    see("is", await earlier("c", { to: "c" }), { to: "a" });
    see("not if it asks for the same", await earlier("d", { to: "a" }), null);
    const yes = await gate.approve(await asked("e"), ADA);
    see("an approval", (await run("e", [yes])).status, "succeeded");
    see("ends it", await earlier("f", { to: "f" }), null);
    see("a waiting call", await earlier("f", { to: "f", amount: 1 }), { to: "f" });
  }),
  scripted("approvals: 1 process, prompts", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.tokens();
    const { run, asked } = await desk.toolset(gate);
    const pending = await asked("a");
    const prompt = await gate.request(pending, { ...ADA, expiresInMs: 1_000 });
    see("what a person reads", prompt.description.includes("PAY"), true);
    const unanswered = await run("a", [prompt.token]);
    const { error } = unanswered;
    see(
      "a prompt approves nothing",
      [unanswered.status, Reflect.get(Object(error), "reason")],
      ["pending", "not_approved"],
    );
    const answer = await gate.respond(prompt.token, { approved: true });
    see("whose it is", answer.callId, "a");
    see("an answer is no prompt", (await thrown(() => gate.respond(answer.token, { approved: true }))) !== "", true);
    see("a broken prompt", (await thrown(() => gate.respond("v1.a.b", { approved: true }))) !== "", true);
    desk.now += 1_000;
    see("it ends with its prompt", (await run("a", [answer.token])).status, "pending");
    see("a late answer", (await thrown(() => gate.respond(prompt.token, { approved: true }))) !== "", true);
    for (const needsStore of [
      () => gate.get("a"),
      () => gate.decide("a", { approved: true, ...ADA }),
      async () => gate.list(),
    ]) {
      see("without a store", (await thrown(needsStore)).includes("without a store"), true);
    }
    const lost = await desk.inbox().request(pending, ADA);
    const answering = desk.inbox().respond(lost.token, { approved: true });
    see("no such request", await answering.catch((failure) => failure.reason), "unknown_request");
    const fresh = await gate.request(pending, { ...ADA, expiresInMs: 1_000 });
    const yes = await gate.respond(fresh.token, { approved: true });
    see("the answer", (await run("a", [yes.token])).status, "succeeded");
    const second = await gate.request(await asked("b"), ADA);
    const no = await gate.respond(second.token, { approved: false, reason: "No." });
    const denied = await run("b", [no.token]);
    see("another answer", [denied.status, denied.text.includes("No.")], ["not_run", true]);
    see("the service ran", desk.ran, ["PAY a"]);
  }),
];
