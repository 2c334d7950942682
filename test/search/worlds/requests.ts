// Requests that a store keeps, in one program.
import { memoryExecutions } from "../../../src/agents/index.js";
import type {
  ApprovalDecision,
  ApprovalsOptions,
  ListedRequest,
  TokenApprovals,
} from "../../../src/agents/policy-entry.js";
import type { Definition } from "../world.js";
import { Desk, KEYS } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";

const ADA = { approver: "ada" };

const idsOf = async (listed: AsyncIterable<ListedRequest>) => {
  const ids: string[] = [];
  for await (const { pending } of listed) ids.push(pending.call.callId);
  return ids;
};
const shown = (request: ListedRequest | undefined) =>
  request && [request.state, request.approver, request.reason, request.decidedAt];
const stateOf = async (gate: TokenApprovals, id: string) => (await gate.get(id))?.state;

export const requests: readonly Definition[] = [
  scripted("approvals: 1 process, decisions in a store", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.inbox();
    const { run, asked } = await desk.toolset(gate);
    const { id } = await asked("a");
    see("the same request", (await asked("a")).id, id);
    see("before", shown(await gate.get(id)), ["pending", null, null, null]);
    see(
      "no request",
      [await gate.get("nothing"), await gate.decide("nothing", { approved: true, ...ADA })],
      [...[undefined, undefined]],
    );
    desk.now += 5;
    see("decided", shown(await gate.decide(id, { approved: true, ...ADA, reason: "Fine." })), [
      ...["approved", "ada", "Fine.", 1_000_005],
    ]);
    see("decided again", shown(await gate.decide(id, { approved: false, approver: "bob" })), [
      ...["approved", "ada", "Fine.", 1_000_005],
    ]);
    const token = await gate.approve(id, { approver: "bob" });
    see("the first token", await gate.approve(id, ADA), token);
    see("denied then", (await thrown(() => gate.deny(id, ADA))) !== "", true);
    see("withdrawn then", (await thrown(() => gate.withdraw(id, ADA))) !== "", true);
    see("its call", (await run("a")).status, "succeeded");
    const second = await asked("b");
    see("a denial", shown(await gate.decide(second, { approved: false, ...ADA, reason: "No." })), [
      ...["denied", "ada", "No.", 1_000_005],
    ]);
    const denied = await run("b");
    see("the denied call", [denied.status, denied.text.includes("No.")], ["not_run", true]);
    const secretly = await desk.tokens().approve(second, ADA);
    see("a token beside the denial", (await run("b", [secretly])).status, "not_run");
    const open = await asked("e");
    const early = await desk.tokens().approve(open, ADA);
    await gate.decide(open, { approved: false, ...ADA });
    see("a token before the denial", (await run("e", [early])).status, "not_run");
    const third = await asked("c");
    await gate.withdraw(third.id, ADA);
    see("withdrawn", await stateOf(gate, third.id), "withdrawn");
    const withdrawn = await run("c");
    see("the withdrawn call", [withdrawn.status, withdrawn.text.includes("withdrawn")], ["not_run", true]);
    const lists = { approved: ["a"], denied: ["b", "e"], withdrawn: ["c"], pending: [], expired: [] } as const;
    for (const state of Object.keys(lists) as (keyof typeof lists)[]) {
      see(`the list of ${state} ones`, await idsOf(gate.list({ state })), lists[state]);
    }
    see("an unknown request", (await thrown(() => gate.approve("nothing", ADA))) !== "", true);
    see("the service ran", desk.ran, ["PAY a"]);
  }),
  scripted("approvals: 1 process, requests that nobody decided in time", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.inbox({ requestExpiresInMs: 1_000 });
    const { run, asked } = await desk.toolset(gate);
    const { id, expiresAt } = await asked("a");
    see("until when", expiresAt, desk.now + 1_000);
    desk.now += 999;
    see("its last moment", await stateOf(gate, id), "pending");
    desk.now += 1;
    see("its end", [await stateOf(gate, id), await idsOf(gate.list())], ["expired", []]);
    see("in its list", await idsOf(gate.list({ state: "expired" })), ["a"]);
    see("decided late", shown(await gate.decide(id, { approved: true, ...ADA })), ["expired", null, null, null]);
    see("approved late", (await thrown(() => gate.approve(id, ADA))) !== "", true);
    see("the call", (await run("a")).status, "pending");
    see("asked again", await stateOf(gate, id), "pending");
    await gate.approve(id, { ...ADA, expiresInMs: 5_000 });
    desk.now += 4_999;
    see("after the request's end", await stateOf(gate, id), "approved");
    desk.now += 1;
    see("its token has expired", (await run("a")).status, "pending");
    await gate.approve(id, ADA);
    see("approved again", (await run("a")).status, "succeeded");
    see("the service ran", desk.ran, ["PAY a"]);
  }),
  scripted("approvals: 1 process, whose requests are in a list", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.inbox();
    const one = await desk.toolset(gate);
    const other = await desk.toolset(gate, { userId: "user-2", conversationId: "chat" });
    const first = await one.asked("a");
    desk.now += 1;
    await other.asked("b");
    desk.now += 1;
    await one.asked("c");
    see("the newest first", await idsOf(gate.list()), ["c", "b", "a"]);
    see("of a user", await idsOf(gate.list({ userId: "user-1" })), ["c", "a"]);
    see("of a conversation", await idsOf(gate.list({ conversationId: "chat" })), ["b"]);
    see("of a user there", await idsOf(gate.list({ userId: "user-1", conversationId: "chat" })), []);
    const stranger = desk.inbox({ keys: KEYS.slice(1, 2) });
    see("with another key", await idsOf(stranger.list()), []);
    see("of another key", (await thrown(() => stranger.get(first.id))) !== "", true);
    const rotated = desk.inbox({ keys: [KEYS[1] as never, KEYS[0] as never] });
    see("after a rotation", await idsOf(rotated.list()), ["c", "b", "a"]);
    const after = await desk.toolset(rotated);
    see("the same request", (await after.asked("a")).id, first.id);
    await rotated.approve(first.id, ADA);
    see("its call", (await after.run("a")).status, "succeeded");
    see("the service ran", desk.ran, ["PAY a"]);
  }),
  scripted("approvals: 1 process, a long list", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.inbox();
    const { asked } = await desk.toolset(gate);
    const first = await asked("a");
    const others = Array.from({ length: 101 }, (_, number) => `n${number}`);
    for (const callId of others) await gate.approve({ ...first, call: { ...first.call, callId } }, ADA);
    see("all of it", (await idsOf(gate.list({ state: "approved" }))).toSorted(), others.toSorted());
  }),
  scripted("approvals: 1 process, why a decision is rejected", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.inbox({ requestExpiresInMs: 1_000 });
    const { asked } = await desk.toolset(gate);
    const rejected = (run: Promise<unknown>) => run.catch((error: unknown) => Reflect.get(Object(error), "reason"));
    const decisions = (request: string) =>
      Promise.all([
        ...[rejected(gate.approve(request, ADA)), rejected(gate.deny(request, ADA))],
        rejected(gate.withdraw(request, ADA)),
      ]);
    const all = (reason: string) => [reason, reason, reason];
    see("no request", await decisions("nothing"), all("unknown_request"));
    const first = await asked("a");
    const prompt = await gate.request(first, { ...ADA, expiresInMs: 5_000 });
    await gate.withdraw(first.id, ADA);
    see("one that was withdrawn", (await decisions(first.id)).slice(0, 2), ["already_decided", "already_decided"]);
    const answer = () => gate.respond(prompt.token, { approved: true });
    see("answered after it", await rejected(answer()), "already_decided");
    const second = await asked("b");
    desk.now += 1_000;
    see("one that has expired", await decisions(second.id), all("expired"));
    const late = gate.standing.approve(second.id, { ...ADA, maxUses: 2 });
    see("nor by a standing approval", await rejected(late), "expired");
    const standing = await asked("c");
    await gate.standing.approve(standing.id, { ...ADA, maxUses: 2 });
    see("one that a standing approval decided", await decisions(standing.id), all("already_decided"));
    desk.now += 5_000;
    see("a prompt that has expired", await rejected(answer()), "expired");
    for (const [odd, reason] of [
      ["", "malformed"],
      ["v1.a.b", "not_canonical"],
      ["v2.a.b", "unsupported_version"],
      [prompt.token.replace("v1.e", "v1.f"), "bad_signature"],
      [await desk.tokens().approve(first, ADA), "not_a_request"],
    ] as const) {
      see("no prompt", await rejected(gate.respond(odd, { approved: true })), reason);
    }
    const daily = await asked("d");
    await gate.approve(daily.id, { ...ADA, expiresInMs: 100 });
    desk.now += 100;
    see("an approval that is over", await rejected(gate.approve(daily.id, ADA)), "expired");
    for (const expiresInMs of [0, -1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER]) {
      const failure = await thrown(() => desk.tokens().approve(first, { ...ADA, expiresInMs }));
      see("an odd lifetime", failure.includes("expiresInMs"), true);
    }
    const { version: _version, ...broken } = first;
    see(
      "no pending approval",
      (await thrown(() => gate.approve(broken as never, ADA))).includes("pass the pending"),
      true,
    );
    see("an odd reason", (await thrown(() => gate.deny(first, { ...ADA, reason: 5 as never }))) !== "", true);
    const long = { ...ADA, reason: "x".repeat(20_000) };
    see("one that is too long", (await thrown(() => desk.tokens().deny(first, long))).includes("16384"), true);
  }),
  scripted("approvals: 1 process, decisions beside others", async (_, see, world) => {
    const desk = new Desk(world);
    const { swap } = desk.store;
    const gate = desk.inbox();
    const { run, asked } = await desk.toolset(gate);
    const first = await asked("a");
    await gate.approve(first.id, ADA);
    const against = await desk.tokens().deny(first, ADA);
    see("a token of a denial beside an approval", (await run("a", [against])).status, "not_run");
    let left = 1;
    const faults: Record<string, () => Promise<boolean>> = {
      "another write was first": async () => false,
      "the store fails": () => Promise.reject(new Error("It is down.")),
    };
    for (const [what, fault] of Object.entries(faults)) {
      const { id, call } = await asked(what);
      left = 1;
      desk.store.swap = (...args) => {
        left -= 1;
        return left >= 0 ? fault() : swap(...args);
      };
      await gate.approve(id, ADA);
      see(what, [left, (await run(call.callId)).status], [-1, "succeeded"]);
      desk.store.swap = swap;
    }
  }),
  scripted("approvals: 1 process, requests that another key has signed", async (_, see, world) => {
    const desk = new Desk(world);
    const { asked } = await desk.toolset(desk.inbox());
    const { id } = await asked("a");
    const stranger = desk.inbox({ keys: KEYS.slice(1, 2) });
    const rejected = (run: Promise<unknown>) => run.catch((error: unknown) => Reflect.get(Object(error), "reason"));
    see("it can't be read", await rejected(stranger.get(id)), "unknown_request");
    see("nor decided", await rejected(stranger.approve(id, ADA)), "unknown_request");
    see("nor is it listed", await idsOf(stranger.list()), []);
  }),
  scripted("approvals: 1 process, a store that answers wrongly", async (_, see, world) => {
    const desk = new Desk(world);
    const honest = desk.store;
    const answers: { find?: unknown; swap?: unknown } = {};
    const store: NonNullable<ApprovalsOptions["store"]> = {
      find: async (id) => ("find" in answers ? (answers.find as string) : honest.find(id)),
      swap: async (record, expected) => ("swap" in answers ? (answers.swap as boolean) : honest.swap(record, expected)),
      list: (query) => honest.list(query),
    };
    const gate = desk.inbox({ store });
    const { run, asked } = await desk.toolset(gate);
    const first = await asked("a");
    const token = await gate.approve(first.id, ADA);
    const second = await asked("b");
    answers.find = await honest.find(first.id);
    see("the record of another", (await thrown(() => gate.approve(second.id, ADA))) !== "", true);
    see("the call", (await run("b")).status, "not_run");
    for (const value of ["", "v1.odd.{}", 5, `${answers.find}`.replace("v1.", "v1.A")]) {
      answers.find = value;
      see("no record", (await run("c", [token])).status, "not_run");
    }
    delete answers.find;
    for (const value of [1, "true", null]) {
      answers.swap = value;
      const { status, error } = await run("d");
      see("an odd answer to a write", [status, error instanceof TypeError], ["not_run", true]);
    }
    delete answers.swap;
    see("the call then", (await run("d")).status, "pending");
    see("the service ran", desk.ran, []);
  }),
  scripted("approvals: 1 process, requests that are opened and decided at the same time", async (_, see, world) => {
    const desk = new Desk(world);
    const both = [await desk.toolset(desk.inbox()), await desk.toolset(desk.inbox())];
    const opened = await Promise.all(both.map(({ run }) => run("a")));
    see(
      "one request",
      opened.map(({ status, pendingApproval }) => [status, pendingApproval?.id === opened[0]?.pendingApproval?.id]),
      [
        ["pending", true],
        ["pending", true],
      ],
    );
    const gate = desk.inbox();
    const onRequest = async ({ id }: { id: string }) => {
      await gate.approve(id, ADA);
    };
    const told = await desk.toolset(desk.inbox({ onRequest }));
    await told.run("b");
    see("decided while it is told", await idsOf(gate.list({ state: "approved" })), ["b"]);
  }),
  scripted("approvals: 1 process, a decision right before the program is told", async (_, see, world) => {
    const desk = new Desk(world);
    const gate = desk.inbox();
    let told = 0;
    let finds = 0;
    const find: typeof desk.store.find = async (id) => {
      finds += 1;
      // The first time, the request isn't there yet.
      if (finds === 2) await gate.approve(id, ADA);
      return desk.store.find(id);
    };
    const onRequest = () => {
      told += 1;
    };
    const { run } = await desk.toolset(desk.inbox({ store: { ...desk.store, find }, onRequest }));
    see("it counts", [(await run("a")).status, told, desk.ran], ["succeeded", 0, ["PAY a"]]);
  }),
  scripted("approvals: 1 process, runs that share what the program is told", async (_, see, world) => {
    const desk = new Desk(world);
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    let told = 0;
    const onRequest = async () => {
      told += 1;
      if (told > 1) return wait(3_000).then(() => undefined);
      await wait(1_000);
      throw new Error("It failed.");
    };
    const { made } = await desk.toolset(desk.inbox({ onRequest }));
    const run = async (signal?: AbortSignal) => {
      const calls = [{ callId: "a", name: "PAY", arguments: { to: "a" } }];
      return (await made.run(calls, signal && { signal }))[0]?.status;
    };
    const stop = new AbortController();
    const aborted = thrown(() => run(stop.signal));
    await wait(50);
    const second = run();
    await wait(50);
    stop.abort(new Error("stop"));
    see("an abort waits no longer", [await aborted, told], ["stop", 1]);
    const third = run();
    see("the first one fails", await second, "not_run");
    await wait(100);
    see("another one shares the next", [await run(), await third, told], ["pending", "pending", 2]);
  }),
  scripted("approvals: 1 process, requests that the program is told", async (_, see, world) => {
    const desk = new Desk(world);
    const told: string[] = [];
    let answer: () => unknown = () => undefined;
    const onRequest = async ({ call }: { call: { callId: string } }) => {
      told.push(call.callId);
      return answer() as ApprovalDecision | undefined;
    };
    for (const gate of [desk.tokens({ onRequest }), desk.inbox({ onRequest })]) {
      const { run, made } = await desk.toolset(gate, { executions: memoryExecutions() });
      const tell = async (callId: string, said: () => unknown) => {
        told.length = 0;
        answer = said;
        const { status } = await run(callId);
        return [status, ...told];
      };
      see("nothing", await tell("a", () => undefined), ["pending", "a"]);
      see("told once", await tell("a", () => undefined), ["pending"]);
      see("an approval", await tell("b", () => ({ approved: true, ...ADA })), ["succeeded", "b"]);
      const proxy = new Proxy({}, { get: (_, name) => Reflect.get({ approved: true, ...ADA }, name) });
      see("an approval behind a proxy", await tell("p", () => proxy), ["succeeded", "p"]);
      see("a denial", await tell("c", () => ({ approved: false, ...ADA })), ["not_run", "c"]);
      see("it stays", await tell("c", () => ({ approved: true, ...ADA })), ["not_run"]);
      const failing = () => {
        throw new Error("no one is there");
      };
      see("a failure", await tell("d", failing), ["not_run", "d"]);
      see("told again", await tell("d", () => null), ["pending", "d"]);
      for (const odd of [true, {}, { approved: "yes", ...ADA }, { approved: true }, { expiresInMs: -1 }]) {
        see("no decision", await tell("e", () => odd), ["not_run", "e"]);
      }
      see("a decision then", await tell("e", () => ({ expiresInMs: 0 })), ["pending", "e"]);
      see("it is over", await tell("e", () => ({ expiresInMs: 100 })), ["pending", "e"]);
      see("it isn't over", await tell("e", () => undefined), ["pending"]);
      desk.now += 100;
      see("it is over then", await tell("e", () => ({ approved: true, ...ADA, expiresInMs: 50 })), ["succeeded", "e"]);
      told.length = 0;
      answer = () => undefined;
      const call = { callId: "f", name: "PAY", arguments: { to: "f" } };
      const both = await Promise.all([made.run([call]), made.run([call])]);
      see("at the same time", [...told, ...both.map(([result]) => result?.status)], ["f", "pending", "pending"]);
      see("a dry run", (await made.run([{ ...call, callId: "g" }], { dryRun: true }))[0]?.status, "pending");
      see("a dry run tells nothing", told, ["f"]);
      see("the service ran", desk.ran.splice(0), ["PAY b", "PAY p", "PAY e"]);
    }
  }),
];
